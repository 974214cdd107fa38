/** Applies changes of a VM to its running VMI, as far as that is possible without a restart. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { keyOfObject } from '@ssvirt/kube/object';
import { persistentVolumeClaims, virtualMachineInstances } from '../objects.ts';
import type { VirtualMachine, VirtualMachineInstance, VmiSpec } from '../objects.ts';
import { restartRequiredFor, withCondition } from './status/conditions.ts';
import { hotplugPatch } from './live/hotplug.ts';
import { interfaceChange } from './interfaces.ts';
import { liveRules } from './live/live-update.ts';
import { dumpWork, memoryDumpOf, withDumpVolume, withoutDumpVolume } from './memory-dump.ts';
import type { Shell } from './shell.ts';
import { shortTime } from './status/status.ts';
import { syncErrorOf } from './status/sync-error.ts';
import { testedPatch } from './tested-patch.ts';
import { conditionOf, isDeleting, type MaybeVmi } from './vmi-state.ts';

/** `plugInterfaces` applies changed interfaces. Resolves to the template without those that were unplugged from the guest. */
export async function plugInterfaces(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<VmiSpec> {
  const current = vm.spec.template.spec;
  if (vmi === undefined || isDeleting(vmi)) return current;
  const { template, operations } = interfaceChange(current, vmi);
  if (operations.length === 0) return template;
  await patched(shell, vmi, operations).catch((error: unknown) => {
    throw syncErrorOf('HotPlugNetworkInterfaceError', 'error encountered when trying to patch vmi', error);
  });
  return template;
}

/** `plugVolumes` applies added and removed volumes of the template. */
export async function plugVolumes(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<void> {
  const operations = hotplugPatch(vm, vmi);
  if (vmi === undefined || operations.length === 0) return;
  await patched(shell, vmi, operations).catch((error: unknown) => {
    throw syncErrorOf('HotPlugVolumeError', 'Error encountered while handling declarative hotplug volumes', error);
  });
}

/** Does the next step of a memory dump. Resolves to the template with or without the dump's volume. */
export async function dumpMemory(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi, template: VmiSpec): Promise<VmiSpec> {
  const request = memoryDumpOf(vm);
  if (request === undefined) return template;
  const { vmVolume, vmiVolume, annotation } = dumpWork(vm, vmi);
  try {
    if (annotation !== undefined) await annotateClaim(shell, vm, request.claimName, annotation);
    if (vmi !== undefined && vmiVolume !== undefined) {
      const change = vmiVolume === 'add' ? withDumpVolume : withoutDumpVolume;
      const { volumes } = change(vmi.spec, request.claimName);
      const path = '/spec/volumes';
      const test = { op: 'test', path, value: vmi.spec.volumes } as const;
      await patched(shell, vmi, [
        ...(vmi.spec.volumes === undefined ? [] : [test]),
        { op: 'add', path, value: volumes },
      ]);
    }
  } catch (error) {
    throw syncErrorOf('MemoryDumpError', 'Error encountered while handling memory dump request', error);
  }
  if (vmVolume === undefined) return template;
  return (vmVolume === 'add' ? withDumpVolume : withoutDumpVolume)(template, request.claimName);
}

async function annotateClaim(shell: Shell, vm: VirtualMachine, name: string, text: string): Promise<void> {
  const { namespace = '' } = vm.metadata;
  const claim = shell.caches.claims.get({ namespace, name });
  if (claim === undefined) throw new Error(`Error when trying to update memory dump annotation, pvc ${name} not found`);
  const annotation = 'kubevirt.io/memory-dump';
  if (claim.metadata.annotations?.[annotation] === text) return;
  const body = { metadata: { annotations: { [annotation]: text } } };
  await shell.client.patch(
    persistentVolumeClaims,
    { namespace, name },
    { type: 'merge', body },
    { signal: shell.signal },
  );
}

/** Annotations that are copied from the VM's template to the VMI. */
const followed = ['descheduler.alpha.kubernetes.io/evict', 'descheduler.alpha.kubernetes.io/prefer-no-eviction'];

export async function followAnnotations(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<void> {
  if (vmi === undefined || isDeleting(vmi)) return;
  const wanted = vm.spec.template.metadata?.annotations ?? {};
  const theirs = vmi.metadata.annotations ?? {};
  const differing = followed.filter((key) => wanted[key] !== theirs[key]);
  if (differing.length === 0) return;
  const annotations = Object.fromEntries(differing.map((key) => [key, wanted[key] ?? null]));
  const body = { metadata: { annotations } };
  await shell.client
    .patch(virtualMachineInstances, keyOfObject(vmi), { type: 'merge', body }, { signal: shell.signal })
    .catch((error: unknown) => {
      const about = 'Error encountered while handling annotation and labels sync request';
      throw syncErrorOf('AnnotationsLabelsChangeError', about, error);
    });
}

/**
 * Applies CPU, placement, tolerations and memory. Returns the VM with RestartRequired if one of them cannot be changed
 * live.
 */
export async function updateLive(shell: Shell, vm: VirtualMachine, vmi: MaybeVmi): Promise<VirtualMachine> {
  if (vmi === undefined || isDeleting(vmi) || conditionOf(vm, 'RestartRequired') !== undefined) return vm;
  let [result, current] = [vm, vmi];
  for (const { reason, about, change } of liveRules) {
    try {
      const wanted = (await shell.instancetypes.applyToVm(vm)).spec.template.spec;
      const todo = change(wanted, current);
      if (todo.kind === 'refuse') throw new Error(todo.message);
      if (todo.kind === 'restart') result = withRestartRequired(result, todo.message);
      if (todo.kind === 'patch') current = await patched(shell, current, todo.operations);
    } catch (error) {
      throw syncErrorOf(reason, about, error);
    }
  }
  return result;
}

export function withRestartRequired(vm: VirtualMachine, message: string): VirtualMachine {
  const condition = restartRequiredFor(message, shortTime(new Date()));
  return { ...vm, status: { ...vm.status, conditions: withCondition(vm.status?.conditions ?? [], condition) } };
}

function patched(
  shell: Shell,
  vmi: VirtualMachineInstance,
  operations: readonly JsonPatchOperation[],
): Promise<VirtualMachineInstance> {
  return testedPatch(shell, virtualMachineInstances, vmi, operations);
}
