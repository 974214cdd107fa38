/** Starts a VM by creating its VMI, and stops it by deleting the VMI. */
import { KubeError, isConflict, isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type Unstructured } from '@ssvirt/kube/object';
import { serverWords } from '../../server-words.ts';
import { virtualMachineInstances } from '../objects.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { withoutCondition } from './status/conditions.ts';
import { handleDataVolumes } from './volumes/data-volumes.ts';
import { writeRevision } from './revisions.ts';
import { say, type Shell } from './shell.ts';
import { vmiOf, withDeviceDefaults, type DefaultBinding } from './vmi-of-vm.ts';
import { conditionOf, isDeleting } from './vmi-state.ts';

export interface Started {
  readonly vm: VirtualMachine;
  /** False if the start must wait: disks are not ready, or a manual recovery is required. */
  readonly issued: boolean;
}

export async function startVmi(shell: Shell, vm: VirtualMachine): Promise<Started> {
  if (!(await handleDataVolumes(shell, vm))) return { vm, issued: false };
  if (conditionOf(vm, 'ManualRecoveryRequired')?.status === 'True') return { vm, issued: false };
  const starting = withoutRestartRequired(vm);
  const vmi = await assembled(shell, starting);
  try {
    await shell.client.create(virtualMachineInstances, vmi, { signal: shell.signal });
  } catch (error) {
    // Another writer created a VMI that the cache does not show yet: the next reconcile checks its owner.
    if (isKind(error, 'AlreadyExists') && shell.caches.vmis.get(keyOfObject(vm)) === undefined)
      throw new KubeError('Conflict', `VirtualMachineInstance "${vmi.metadata.name}" has just come`, { code: 409 });
    failed(shell, vm, `Error creating virtual machine instance: ${serverWords(error)}`);
    throw error;
  }
  const text = `Started the virtual machine by creating the new virtual machine instance ${vmi.metadata.name}`;
  say(shell, vm, 'Normal', 'SuccessfulCreate', text);
  return { vm: starting, issued: true };
}

async function assembled(shell: Shell, vm: VirtualMachine): Promise<VirtualMachineInstance> {
  const { instancetypes, caches } = shell;
  const bare = vmiOf(vm, await writeRevision(shell, vm));
  const attached = await instancetypes.applyAutoAttach(vm, bare).catch((error: unknown) => {
    failed(shell, vm, `Error applying device preferences again: ${serverWords(error)}`);
    throw error;
  });
  const spec = withDeviceDefaults(attached.spec, defaultBinding(caches.kubeVirts.list()));
  return instancetypes.applyToVmi(vm, { ...attached, spec }).catch((error: unknown) => {
    const text = `Error creating virtual machine instance: Failed to apply instancetype: ${serverWords(error)}`;
    failed(shell, vm, text);
    throw error;
  });
}

function failed(shell: Shell, vm: VirtualMachine, text: string): void {
  say(shell, vm, 'Warning', 'FailedCreate', text);
}

/** The binding of a VMI without networks to the pod network. */
function defaultBinding([kubeVirt]: readonly Unstructured[]): DefaultBinding {
  const spec = kubeVirt?.['spec'] as { configuration?: { network?: { defaultNetworkInterface?: string } } } | undefined;
  return spec?.configuration?.network?.defaultNetworkInterface === 'masquerade' ? 'masquerade' : 'bridge';
}

export async function stopVmi(shell: Shell, vm: VirtualMachine, vmi: VirtualMachineInstance): Promise<VirtualMachine> {
  if (isDeleting(vmi)) return vm;
  const { name, uid } = vmi.metadata;
  try {
    const { signal } = shell;
    const options = uid === undefined ? { signal } : { signal, uid };
    await shell.client.delete(virtualMachineInstances, keyOfObject(vmi), options);
  } catch (error) {
    if (isConflict(error)) throw error;
    say(shell, vm, 'Warning', 'FailedDelete', `Error deleting virtual machine instance ${name}: ${serverWords(error)}`);
    throw error;
  }
  const text = `Stopped the virtual machine by deleting the virtual machine instance ${uid}`;
  say(shell, vm, 'Normal', 'SuccessfulDelete', text);
  return withoutRestartRequired(vm);
}

function withoutRestartRequired(vm: VirtualMachine): VirtualMachine {
  const conditions = vm.status?.conditions ?? [];
  const left = withoutCondition(conditions, 'RestartRequired');
  return left === conditions ? vm : { ...vm, status: { ...vm.status, conditions: left } };
}
