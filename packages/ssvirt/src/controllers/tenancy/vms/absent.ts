/** Deletes a VM from its cluster, and when it is gone there, its row. */
import { noteInTask } from '../../../db/work-queue/claimed-tasks.ts';
import { KubeError, isConflict, isNotFound, isRefusal } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { removeVm } from '../../../db/vms/vm-removal.ts';
import { vmFacts } from '../../../kubevirt/facts/vm.ts';
import { secretNames } from '../../../kubevirt/tenant-vm/names.ts';
import { isReached } from '../../../kubevirt/power/plan.ts';
import { isLeaving } from '../vdcs/bound-namespace.ts';
import { reportStep, type Result } from '../engine/context.ts';
import { refusalOf, refusalText } from '../engine/failures.ts';
import { longestWait, ownMachine, waitOn, type VmAttempt } from './attempt.ts';
import { secrets, virtualMachines } from '../../../fleet/kinds.ts';
import { put } from './vm-client.ts';

export async function makeAbsent(attempt: VmAttempt): Promise<Result> {
  const { client, work } = attempt;
  const own = ownMachine(attempt);
  if (own === undefined && isComing(attempt))
    return waitOn(
      attempt,
      `waits until the template of its vApp "${work.vapp.name}" has created it, and deletes it then`,
      longestWait(attempt),
    );
  if (own === undefined) return remove(attempt);
  if (own.metadata.deletionTimestamp === undefined) {
    await reportStep(attempt, work.tasks, 'deleting the machine', 30);
    await stopNow(attempt, own);
    await client.delete(virtualMachines, own);
  }
  await reportStep(attempt, work.tasks, 'waiting until the machine is gone', 60);
  return waitOn(attempt, `waits until its virtual machine is gone${slowly(attempt)}`, longestWait(attempt));
}

/** If the cluster did not stop the VM at once: why the deletion takes as long as the guest needs to shut down. */
function slowly({ work: { tasks } }: VmAttempt): string {
  const why = tasks.map(({ details }) => details[notStopped]).find((one) => typeof one === 'string');
  return why === undefined ? '' : `: it shuts down gracefully, because it could not be stopped at once: ${why}`;
}

/**
 * A template creates all its VMs, even those that were deleted meanwhile. If the deletion did not wait for such a VM,
 * it would become an orphan.
 */
function isComing({ work: { uid, vapp }, spec }: VmAttempt): boolean {
  return uid === null && vapp.making && spec.source?.kind === 'template';
}

/** The key in the details of the deletion's task. */
const notStopped = 'notStopped';
/** How often a stop is tried when it fails for a transient reason. */
const stopAttempts = 3;

/**
 * A request to delete a running VM accepts that it ends as in a power failure. If the cluster refuses that, or cannot
 * do it for a while, the deletion shuts the VM down gracefully, and the task says why.
 */
async function stopNow(attempt: VmAttempt, own: Unstructured): Promise<void> {
  if (isReached('powerOff', own) || vmFacts(own).created !== true) return;
  try {
    await put(attempt, { of: 'virtualmachines', subresource: 'stop', body: { gracePeriod: 0 } });
  } catch (error) {
    if (!(error instanceof KubeError) || error.code === undefined) throw error;
    // Nothing is running any more, or a stop is already in progress.
    if (!isRefusal(error) && (isNotFound(error) || isConflict(error))) return;
    if (!isRefusal(error) && attempt.claim.failures < stopAttempts) throw error;
    attempt.log.warn({ err: error, vm: attempt.work.vm.id }, 'cannot stop VM before its deletion');
    const why = refusalOf(error, attempt.claim.cluster)?.message ?? refusalText(error);
    for (const { id } of attempt.work.tasks) await noteInTask(attempt.db, attempt.claim, id, { [notStopped]: why });
  }
}

async function remove(attempt: VmAttempt): Promise<Result> {
  const { db, claim, work } = attempt;
  await removeSecrets(attempt);
  const message = 'the machine was deleted before this was done';
  await removeVm(db, claim, work.vapp.id, { minorErrorCode: 'CONFLICT', message });
  return 'removed';
}

/**
 * The Secrets of an existing VM are deleted with it. If no VM was created, Secrets from the row's data may still exist
 * in the cluster.
 */
async function removeSecrets({ client, spec, identity: { namespace, vmName } }: VmAttempt): Promise<void> {
  if (spec.cloudInit === undefined && spec.sshKeys === undefined) return;
  if (await isLeaving(client, namespace)) return;
  for (const name of Object.values(secretNames(vmName))) await client.deleteNamed(secrets, { namespace, name });
}
