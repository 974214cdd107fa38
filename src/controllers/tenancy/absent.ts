/** Takes a virtual data center out of its cluster: the machines first, then the namespace, and when that has ended the rows. */
import type { KubeObject } from '../../kube/object.ts';
import { completeClaim } from '../../db/reconciliations.ts';
import { removeVdc } from '../../db/vdc-removal.ts';
import { isOurs, report, type Attempt, type Result } from './attempt.ts';

export async function makeAbsent(attempt: Attempt): Promise<Result> {
  const { live, work, hand } = attempt;
  const found = live.Namespace;
  // One that is not ours is none of our business: ours is gone.
  if (found === undefined || !isOurs(attempt, found)) return remove(attempt);
  const { namespace } = work.vdc;
  if (!found.isEnding) {
    const machines = await hand.machines(namespace);
    if (machines.length > 0) return deleteMachines(attempt, machines);
    await report(attempt, 'deleting namespace', 60);
    await hand.deleteNamespace(found);
  }
  await report(attempt, 'waiting for the namespace to end', 80);
  const why = found.endsWhen === '' ? '' : `: ${found.endsWhen}`;
  return wait(attempt, `waits until namespace "${namespace}" is gone${why}`);
}

/** Before their namespace: KubeVirt shuts them down in order, and its finalizers are not left to a namespace that ends. */
async function deleteMachines(attempt: Attempt, machines: readonly KubeObject[]): Promise<Result> {
  const { hand } = attempt;
  await report(attempt, 'deleting virtual machines', 30);
  for (const machine of machines)
    if (machine.metadata.deletionTimestamp === undefined) await hand.deleteMachine(machine);
  const names = machines.map(({ metadata }) => metadata.name).slice(0, 3);
  const more = machines.length > names.length ? ' and more' : '';
  return wait(attempt, `waits until its virtual machines are gone: ${names.join(', ')}${more}`);
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
