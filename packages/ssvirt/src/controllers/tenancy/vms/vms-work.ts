/**
 * The work on VMs. A VM has a reconcile request only while a task is open: changes that users make in the cluster stay.
 */
import { failClaim, finishClaim, completeClaim, underClaim } from '../../../db/work-queue/reconciliations.ts';
import { noteRepeated } from '../../../db/vms/repeated-creations.ts';
import { endVmTasks } from '../../../db/vms/vm-applied.ts';
import { undoVm } from '../../../db/vms/vm-removal.ts';
import { placeOfVm, readVmWork, type VmWork } from '../../../db/vms/vm-work.ts';
import { idsOf, type Context, type Outcome, type Result } from '../engine/context.ts';
import type { Refused } from '../engine/failures.ts';
import { pauseAfter } from '../engine/pauses.ts';
import type { KindOfWork } from '../engine/reconciler.ts';
import { makeAbsent } from './absent.ts';
import { attemptOf, longestWait, waitOn, type VmAttempt } from './attempt.ts';
import { makeMachine, mayHaveLateSecrets } from './create.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { doTasks } from './present.ts';

export class VmsWork implements KindOfWork<VmAttempt> {
  readonly kind = 'vm';

  async look(context: Context): Promise<VmAttempt | undefined> {
    const { db, claim, client } = context;
    const place = await placeOfVm(db, claim.entityId);
    if (place === undefined) return undefined;
    const live = await client.get(virtualMachines, place);
    const work = await readVmWork(db, claim.entityId);
    return work === undefined || work.vm.deleted_at !== null ? undefined : attemptOf(context, work, live);
  }

  async act(_context: Context, attempt: VmAttempt): Promise<Result> {
    const { vm, vdc, uid } = attempt.work;
    if (mayHaveLateSecrets(attempt)) await noteRepeated(attempt.db, 'vm', vm.id);
    if (vdc.leaving)
      return waitOn(
        attempt,
        `waits for its virtual data center "${vdc.name}", which is being deleted`,
        longestWait(attempt),
      );
    if (vm.desired_state === 'absent') return makeAbsent(attempt);
    return uid === null && vm.desired_state === 'present' ? makeMachine(attempt) : doTasks(attempt);
  }

  /**
   * A VM that was never created is removed from the database. An existing one stays as it is, and its tasks fail. A
   * deletion is retried slowly.
   */
  async refused(context: Context, attempt: VmAttempt | undefined, refused: Refused): Promise<Outcome> {
    const { db, claim } = context;
    const work = attempt?.work ?? (await readVmWork(db, claim.entityId));
    if (work === undefined) return (await finishClaim(db, claim)) ? 'gone' : 'lost';
    if (neverWas(work)) {
      await undoVm(db, claim, work.vapp.id, refused.failure);
      return (await completeClaim(db, claim, { dueInMs: 0, message: refused.message })) ? 'refused' : 'lost';
    }
    await endVmTasks(db, claim, { vapp: work.vapp.id, tasks: idsOf(work.tasks), failure: refused.failure });
    if (work.vm.desired_state === 'absent') await tryLater(context, refused);
    else await finishClaim(db, claim);
    return 'refused';
  }
}

function neverWas({ vm, uid }: VmWork): boolean {
  return uid === null && vm.desired_state === 'present' && vm.origin === 'requested';
}

/** An administrator may change what the cluster allows. */
async function tryLater({ db, claim, settings }: Context, { message }: Refused): Promise<void> {
  const retryInMs = pauseAfter(claim.failures, settings.refusedRetryMs, 10 * settings.refusedRetryMs);
  await underClaim(db, claim, (tx) => failClaim(tx, claim, { message, retryInMs }));
}
