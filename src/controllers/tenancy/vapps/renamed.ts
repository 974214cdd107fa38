/** The name of a vApp stands in annotations of its machines, for people who look at the cluster. */
import { isConflict } from '../../../kube/errors.ts';
import { annotations } from '../../../virt/machine/labels.ts';
import { refusalOf } from '../failures.ts';
import { virtualMachines } from '../kinds.ts';
import { isOurs, type VappAttempt } from './attempt.ts';

/** A machine that starts is written to all the time. */
const tries = 4;

/** Only of machines that were made: the others get it when they are. */
export async function tellMachines(attempt: VappAttempt): Promise<void> {
  for (const { vm_name: name, gone, uid } of attempt.work.machines)
    if (!gone && uid !== null) await tellMachine(attempt, name);
}

/** The vApp has its name whatever becomes of this: a cluster that refuses it keeps nobody waiting. */
async function tellMachine(attempt: VappAttempt, name: string): Promise<void> {
  const { hand, identity, cluster, log } = attempt;
  const { namespace, vappName } = identity;
  for (let left = tries; left > 0; left -= 1) {
    const found = await hand.get(virtualMachines, { namespace, name });
    if (found === undefined || !isOurs(attempt, found)) return;
    if (found.metadata.annotations?.[annotations.vappName] === vappName) return;
    try {
      await hand.patch(virtualMachines, found, { metadata: { annotations: { [annotations.vappName]: vappName } } });
      return;
    } catch (error) {
      if (refusalOf(error, cluster.name) === undefined && !isConflict(error)) throw error;
      log.debug({ err: error, vm: name }, 'cannot update the vApp name on a VM');
    }
  }
}
