/** Deletes a VDC from its cluster: the VMs first, then the namespace, and finally the rows. */
import type { KubeObject } from '@ssvirt/kube/object';
import { completeClaim } from '../../../db/work-queue/reconciliations.ts';
import { keepVdc, removeVdc } from '../../../db/vdcs/vdc-removal.ts';
import { isOurs, report, type Attempt } from './attempt.ts';
import type { Result } from '../engine/context.ts';

export async function makeAbsent(attempt: Attempt): Promise<Result> {
  const { live, work, client } = attempt;
  const found = live.Namespace;
  // A namespace that is not ours is left alone: ours is already gone.
  if (found === undefined || !isOurs(attempt, found)) return remove(attempt);
  const { namespace } = work.vdc;
  if (!found.isEnding) {
    const machines = await client.machines(namespace);
    if (machines.length > 0) return mayDestroy(attempt) ? deleteMachines(attempt, machines) : keep(attempt, machines);
    await report(attempt, 'deleting namespace', 60);
    await client.deleteNamespace(found);
  }
  await report(attempt, 'waiting for the namespace to end', 80);
  const why = found.endsWhen === '' ? '' : `: ${found.endsWhen}`;
  return wait(attempt, `waits until namespace "${namespace}" is gone${why}`);
}

/**
 * Whether VMs in the namespace may be deleted. Without force the API accepts a removal only if the database knows of no
 * VMs; the cluster may have VMs that were not reported yet. The last request of a person decides, even if its task
 * ended with a refusal and the removal is retried. A VDC that never became ready is removed as a whole.
 */
function mayDestroy({ work: { removal, applied } }: Attempt): boolean {
  if (removal === undefined) return !applied.ready;
  return removal.forced || (removal.ended && !applied.ready);
}

async function keep(attempt: Attempt, machines: readonly KubeObject[]): Promise<Result> {
  const { db, claim, work } = attempt;
  const message = `the virtual data center "${work.vdc.name}" cannot be deleted: its namespace has virtual machines (${namesOf(machines)}). Delete them first, or delete it with force=true, which destroys them with their disks`;
  // Only the deletion tasks end here. Other tasks end when the VDC is present again.
  const removals = work.tasks.filter(({ operation }) => operation === 'vdcDelete').map(({ id }) => id);
  const tasks = work.removal?.ended === true ? [...removals, work.removal.id] : removals;
  await keepVdc(db, claim, tasks, { minorErrorCode: 'CONFLICT', message });
  await completeClaim(db, claim, { dueInMs: 0 });
  return 'kept';
}

/**
 * VMs are deleted before their namespace, so that KubeVirt shuts them down in order and a terminating namespace does
 * not have to wait for its finalizers.
 */
async function deleteMachines(attempt: Attempt, machines: readonly KubeObject[]): Promise<Result> {
  const { client } = attempt;
  await report(attempt, 'deleting virtual machines', 30);
  for (const machine of machines)
    if (machine.metadata.deletionTimestamp === undefined) await client.deleteMachine(machine);
  return wait(attempt, `waits until its virtual machines are gone: ${namesOf(machines)}`);
}

function namesOf(machines: readonly KubeObject[]): string {
  const names = machines.map(({ metadata }) => metadata.name).slice(0, 3);
  return `${names.join(', ')}${machines.length > names.length ? ' and more' : ''}`;
}

async function wait({ db, claim, settings }: Attempt, message: string): Promise<Result> {
  await completeClaim(db, claim, { dueInMs: settings.waitMs, message });
  return 'waiting';
}

async function remove({ db, claim, work }: Attempt): Promise<Result> {
  const message = work.applied.fault ?? 'the virtual data center was deleted before this was done';
  await removeVdc(db, claim, { minorErrorCode: 'CONFLICT', message });
  return 'removed';
}
