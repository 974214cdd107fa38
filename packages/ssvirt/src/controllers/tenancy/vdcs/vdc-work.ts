/** The work on VDCs. */
import { endTasks } from '../../../db/work-queue/claimed-tasks.ts';
import { completeClaim, failClaim, underClaim, type Claim } from '../../../db/work-queue/reconciliations.ts';
import { recordFault } from '../../../db/vdcs/vdc-applied.ts';
import { undoVdc } from '../../../db/vdcs/vdc-removal.ts';
import { namespaceOf, readVdcWork } from '../../../db/vdcs/vdc-work.ts';
import { childKinds, childNames, templatesKind } from '../../../kubevirt/vdc/objects.ts';
import { makeAbsent } from './absent.ts';
import type { Attempt, Live } from './attempt.ts';
import type { ClusterAccess } from './cluster-access.ts';
import type { VdcWatch } from './cluster-watch.ts';
import { idsOf, type Context, type Outcome, type Result } from '../engine/context.ts';
import type { Refused } from '../engine/failures.ts';
import { pauseAfter } from '../engine/pauses.ts';
import { makePresent } from './present.ts';
import type { KindOfWork } from '../engine/reconciler.ts';
import { VdcClient } from './vdc-client.ts';

export class VdcWorker implements KindOfWork<Attempt> {
  readonly kind = 'vdc';
  readonly #watch: VdcWatch;
  readonly #access: ClusterAccess;

  constructor(watch: VdcWatch, access: ClusterAccess) {
    this.#watch = watch;
    this.#access = access;
  }

  async look(context: Context): Promise<Attempt | undefined> {
    const { db, claim } = context;
    const client = new VdcClient(context.client);
    const access = await context.client.asked(({ signal }) => this.#access.look(signal));
    const live = await this.#live(context, client);
    const work = await readVdcWork(db, claim.entityId);
    return work === undefined || work.vdc.deleted_at !== null ? undefined : { ...context, client, live, access, work };
  }

  act(_context: Context, attempt: Attempt): Promise<Result> {
    return attempt.work.vdc.desired_state === 'absent' ? makeAbsent(attempt) : makePresent(attempt);
  }

  /**
   * A VDC that was never created is removed from the database. An existing one stays as it is, its tasks fail, and it
   * is retried slowly: an administrator may change what the cluster allows.
   */
  async refused({ db, claim, settings }: Context, attempt: Attempt | undefined, refused: Refused): Promise<Outcome> {
    const work = attempt?.work ?? (await readVdcWork(db, claim.entityId));
    if (work?.applied.ready === false && work.vdc.desired_state === 'present') {
      // Locks the row before the claim, as everywhere. So this is not part of the claim's transaction.
      await undoVdc(db, claim, refused.failure);
      return (await completeClaim(db, claim, { dueInMs: 0, message: refused.message })) ? 'refused' : 'lost';
    }
    await underClaim(db, claim, async (tx) => {
      if (work !== undefined) await recordFault(tx, claim, refused.message);
      await endTasks(tx, claim, idsOf(work?.tasks ?? []), refused.failure);
      const retryInMs = pauseAfter(claim.failures, settings.refusedRetryMs, 10 * settings.refusedRetryMs);
      await failClaim(tx, claim, { message: refused.message, retryInMs });
    });
    return 'refused';
  }

  /**
   * Reads from the cache. Objects missing there are read from the cluster, because a cache may be behind; after a
   * failure everything is.
   */
  async #live({ db, claim }: Context, client: VdcClient): Promise<Live> {
    const name = await namespaceOf(db, claim.entityId);
    if (name === undefined) return {};
    const find = this.#finder(claim, client);
    // The progress of a terminating namespace does not update the cache.
    const cached = await find('Namespace', { name });
    const namespace = cached?.isEnding === true ? await client.get('Namespace', { name }) : cached;
    if (namespace === undefined) return {};
    const live: { -readonly [Kind in keyof Live]: Live[Kind] } = { Namespace: namespace };
    if (namespace.isEnding) return live;
    for (const kind of [...childKinds, templatesKind] as const) {
      const found = await find(kind, { namespace: name, name: childNames[kind] });
      if (found !== undefined) live[kind] = found;
    }
    return live;
  }

  #finder(claim: Claim, client: VdcClient): VdcClient['get'] {
    const isTrusted = claim.failures === 0;
    return async (kind, key) => (isTrusted ? this.#watch.cached(kind, key) : undefined) ?? client.get(kind, key);
  }
}
