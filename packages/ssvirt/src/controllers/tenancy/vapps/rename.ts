/** Updates the name of a vApp in the annotations of its VMs, where people who use the cluster see it. */
import { isConflict } from '@ssvirt/kube/errors';
import { annotations } from '../../../kubevirt/tenant-vm/labels.ts';
import { refusalOf } from '../engine/failures.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { isOurs, type VappAttempt } from './attempt.ts';

/** A starting VM is written all the time. */
const tries = 4;

/** Only for VMs that exist: the others get the name at their creation. */
export async function renameInCluster(attempt: VappAttempt): Promise<void> {
  for (const { vm_name: name, gone, uid } of attempt.work.machines)
    if (!gone && uid !== null) await tellMachine(attempt, name);
}

/** The vApp keeps its new name in any case: a refusal by the cluster does not fail the task. */
async function tellMachine(attempt: VappAttempt, name: string): Promise<void> {
  const { client, identity, cluster, log } = attempt;
  const { namespace, vappName } = identity;
  for (let left = tries; left > 0; left -= 1) {
    const found = await client.get(virtualMachines, { namespace, name });
    if (found === undefined || !isOurs(attempt, found)) return;
    if (found.metadata.annotations?.[annotations.vappName] === vappName) return;
    try {
      await client.patch(virtualMachines, found, { metadata: { annotations: { [annotations.vappName]: vappName } } });
      return;
    } catch (error) {
      if (refusalOf(error, cluster.name) === undefined && !isConflict(error)) throw error;
      log.debug({ err: error, vm: name }, 'cannot update the vApp name on a VM');
    }
  }
}
