/** The work on vApps. */
import { endTasks } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim, failClaim, underClaim } from '../../../db/work-queue/reconciliations.ts';
import { noteRepeated } from '../../../db/vms/repeated-creations.ts';
import { undoVapp } from '../../../db/vapps/vapp-removal.ts';
import { readVappWork } from '../../../db/vapps/vapp-work.ts';
import { idsOf, type Context, type Outcome, type Result } from '../engine/context.ts';
import type { Refused } from '../engine/failures.ts';
import { pauseAfter } from '../engine/pauses.ts';
import type { KindOfWork } from '../engine/reconciler.ts';
import { makeAbsent } from './absent.ts';
import { attemptOf, type VappAttempt } from './attempt.ts';
import { makePresent } from './present.ts';

export class VappsWork implements KindOfWork<VappAttempt> {
  readonly kind = 'vapp';

  /** The cluster is read step by step. That is safe, because every write there uses a unique name or a uid. */
  async look(context: Context): Promise<VappAttempt | undefined> {
    const work = await readVappWork(context.db, context.claim.entityId);
    return work === undefined || work.vapp.deleted_at !== null ? undefined : attemptOf(context, work);
  }

  async act(_context: Context, attempt: VappAttempt): Promise<Result> {
    const { db, spec, work } = attempt;
    // An earlier attempt has chosen the name and not recorded an instance: the Secret that it sent may still arrive.
    if (spec?.instance !== undefined && work.uid === null) await noteRepeated(db, 'vapp', work.vapp.id);
    if (work.vdc.leaving) return leave(attempt);
    return work.vapp.desired_state === 'absent' ? makeAbsent(attempt) : makePresent(attempt);
  }

  /**
   * A vApp that was never created is removed from the database. An existing one stays as it is, and its tasks fail. A
   * deletion is retried slowly.
   */
  async refused(
    { db, claim, settings }: Context,
    attempt: VappAttempt | undefined,
    refused: Refused,
  ): Promise<Outcome> {
    const work = attempt?.work ?? (await readVappWork(db, claim.entityId));
    const isMaking =
      work?.tasks.some(({ operation }) => ['vappCreate', 'vappInstantiate'].includes(operation)) === true;
    if (work?.vapp.desired_state === 'present' && (work.vapp.creation === 'running' || isMaking)) {
      await undoVapp(db, claim, refused.failure);
      return (await completeClaim(db, claim, { dueInMs: 0, message: refused.message })) ? 'refused' : 'lost';
    }
    await underClaim(db, claim, async (tx) => {
      await endTasks(tx, claim, idsOf(work?.tasks ?? []), refused.failure);
      const retryInMs = pauseAfter(claim.failures, settings.refusedRetryMs, 10 * settings.refusedRetryMs);
      await failClaim(tx, claim, { message: refused.message, retryInMs });
    });
    return 'refused';
  }
}

/** The vApp is deleted with its VDC, unless that is kept. */
async function leave({ db, claim, work, settings }: VappAttempt): Promise<Result> {
  const message = `waits for its virtual data center "${work.vdc.name}", which is being deleted`;
  await completeClaim(db, claim, { dueInMs: 5 * settings.waitMs, message });
  return 'waiting';
}
