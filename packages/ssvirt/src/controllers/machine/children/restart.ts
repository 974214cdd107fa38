/**
 * A restart that was asked for with an annotation on the Machine. The value is on the template of the virtual machine
 * too, from which KubeVirt copies it to each new instance: an instance without it is older than the request. So every
 * leader sees what is left to do, and each value restarts once.
 */
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { instances } from '../../../fleet/kinds.ts';
import { vmName } from '../../../kubevirt/machine/names.ts';
import type { ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import { annotations } from '../../../kubevirt/machine/resource.ts';
import { isOver } from '../../../kubevirt/status/troubles.ts';
import { subresources } from '../machine-types.ts';
import { asked, waiting } from '../step-halted.ts';
import type { MachineWork } from '../work.ts';
import type { AppliedVm } from './virtual-machine.ts';

export async function ensureRestart(
  work: MachineWork,
  { running }: ResolvedMachine,
  { facts }: AppliedVm,
): Promise<void> {
  const { machine, member, identity, caches, signal, operator, context } = work;
  const requested = machine.metadata.annotations?.[annotations.restart];
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const seen = caches.instances.get(key);
  if (!running || requested === undefined || seen === undefined || seen.facts.vmUid !== facts.uid) return;
  // KubeVirt is starting or stopping it already, or the guest is off: the next instance has the value.
  if ((facts.requests ?? []).length > 0 || isOver(seen.facts)) return;
  if (seen.metadata.annotations?.[annotations.restart] === requested) return;
  const named = `VirtualMachine "${key.namespace}/${key.name}"`;
  await asked('virtual machine', member.name, `restart ${named}`, async () => {
    // The cache may not have seen the instance of a restart that an earlier leader asked for.
    const live = await member.client.get(instances, key, { signal }).catch(unlessNotFound);
    if (live === undefined || live.metadata.uid !== seen.metadata.uid || isDeleting(live)) return;
    const path = `${subresources}/namespaces/${encodeURIComponent(key.namespace)}/virtualmachines/${encodeURIComponent(key.name)}/restart`;
    try {
      await member.client.request({ method: 'PUT', path, body: {}, signal });
    } catch (error) {
      if (!isConflict(error)) throw error;
      throw waiting('virtual machine', 'Restarting', `${named} cannot be restarted yet: ${error.message}`);
    }
    operator.event(machine, 'Normal', 'Restarting', `Restarting ${named}: ${annotations.restart} is "${requested}"`);
    const fields = { machine: identity.name, namespace: identity.namespace, vm: key.name, requested };
    context.log.info(fields, 'restarting virtual machine on request');
  });
}

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
