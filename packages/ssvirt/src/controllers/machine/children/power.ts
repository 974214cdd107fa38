/**
 * The power state is the run strategy, which is applied with the rest of the VM. A guest that has shut itself down
 * stays off; a new generation of its Machine starts it again.
 */
import { isConflict } from '@ssvirt/kube/errors';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { vmName } from '../../../kubevirt/machine/names.ts';
import type { ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import type { VmFacts } from '../../../kubevirt/facts/vm.ts';
import { runStrategyFor } from '../../../kubevirt/tenant-vm/build.ts';
import { assess } from '../../../kubevirt/status/assess.ts';
import { asked, askedToApply, waiting } from '../step-halted.ts';
import { subresources } from '../machine-types.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import type { AppliedVm } from './virtual-machine.ts';
import { isOurs, type MachineWork } from '../work.ts';

export async function ensurePower(
  work: MachineWork,
  { running, adopted }: ResolvedMachine,
  { before }: AppliedVm,
): Promise<void> {
  const { machine, member, identity, signal, operator } = work;
  const isNew = machine.metadata.generation !== machine.status?.observedGeneration;
  if (!running || !isNew || before === undefined) return;
  // A guest that had shut itself down before the adoption stays off.
  if (adopted !== undefined && (machine.status?.observedGeneration ?? 0) === 0) return;
  const name = vmName(identity.name);
  // KubeVirt does not start a VM whose run strategy was changed back while it was stopping. When it has stopped, it is
  // reconciled again for the same generation.
  if (isStopping(work, before))
    throw waiting(
      'virtual machine',
      'Starting',
      `VirtualMachine "${identity.namespace}/${name}" is still stopping; it is started when it has stopped`,
    );
  // KubeVirt itself starts a VM that was just created or powered on.
  if (!stoppedItself(before)) return;
  const path = `${subresources}/namespaces/${encodeURIComponent(identity.namespace)}/virtualmachines/${encodeURIComponent(name)}/start`;
  await asked('virtual machine', member.name, `start VirtualMachine "${identity.namespace}/${name}"`, async () => {
    try {
      await member.client.request({ method: 'PUT', path, body: {}, signal });
      operator.event(
        machine,
        'Normal',
        'Started',
        `Started VirtualMachine "${identity.namespace}/${name}", whose guest had shut down`,
      );
    } catch (error) {
      // The VM is already starting.
      if (!isConflict(error)) throw error;
    }
  });
}

function isStopping({ caches, identity }: MachineWork, vm: VmFacts): boolean {
  const instance = caches.instances.get({ namespace: identity.namespace, name: vmName(identity.name) });
  if (instance !== undefined) return instance.metadata.deletionTimestamp !== undefined;
  // The VM may be off before KubeVirt has finished the stop; until then it refuses a start with 500.
  return vm.requests?.[0] === 'Stop' || statusOf(vm) === 'POWERING_OFF';
}

function stoppedItself(vm: VmFacts): boolean {
  if (vm.runStrategy !== runStrategyFor(true) || vm.lastRunStrategy !== vm.runStrategy) return false;
  return statusOf(vm) === 'POWERED_OFF';
}

function statusOf(vm: VmFacts): ReturnType<typeof assess>['status'] {
  return assess({ vm, vmi: undefined, nameTaken: false, dataVolumes: [] }).status;
}

/** Other problems of a Machine must not prevent powering it off or on: this writes only the run strategy. */
export async function ensurePowerAlone(work: MachineWork): Promise<void> {
  const { machine, member, identity, signal, caches } = work;
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const live = caches.vms.get(key);
  const wanted = runStrategyFor(machine.spec.running ?? true);
  if (live === undefined || live.metadata.deletionTimestamp !== undefined || live.facts.runStrategy === wanted) return;
  if (!isOurs(work)(live)) return;
  const body = { metadata: lockOn(live), spec: { runStrategy: wanted } };
  await askedToApply('virtual machine', member.name, `switch VirtualMachine "${key.namespace}/${key.name}"`, () =>
    member.client.patch(virtualMachines, key, { type: 'merge', body }, { signal }),
  );
}
