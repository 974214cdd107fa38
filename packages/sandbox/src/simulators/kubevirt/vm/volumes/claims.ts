/**
 * Finds the owner of a VMI or DataVolume with the VM's name: the VM itself, another owner, or none. An object without an
 * owner is adopted, unless it is a VMI that was created without a VM.
 */
import { KubeError, isNotFound } from '@ssvirt/kube/errors';
import { controllerOf, controllerReference } from '@ssvirt/kube/reconcile/owners';
import { keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { dataVolumes, virtualMachineInstances, virtualMachines } from '../../objects.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../objects.ts';
import { templatesOf } from './data-volume-of.ts';
import type { Shell } from '../shell.ts';
import type { MaybeVmi } from '../vmi-state.ts';

export type Claim = 'own' | 'foreign' | 'orphan';

export function claimOn(vm: VirtualMachine, object: KubeObject): Claim {
  const owner = controllerOf(object);
  if (owner !== undefined) return owner.uid === vm.metadata.uid ? 'own' : 'foreign';
  const leaving = vm.metadata.deletionTimestamp !== undefined || object.metadata.deletionTimestamp !== undefined;
  return leaving ? 'foreign' : 'orphan';
}

/**
 * True for a VMI that a user created without a VM: it has no revision, because no VM started it. KubeVirt aborts every
 * reconcile of a VM with the same name before it does anything; the VM shows Stopped, without a condition.
 */
export function isStandalone(vmi: VirtualMachineInstance): boolean {
  return controllerOf(vmi) === undefined && typeof vmi.status?.['virtualMachineRevisionName'] !== 'string';
}

/** `claimVmi` returns the VM's VMI; undefined if there is none or it belongs to another owner. */
export async function claimVmi(shell: Shell, vm: VirtualMachine): Promise<MaybeVmi> {
  const vmi = shell.caches.vmis.get(keyOfObject(vm));
  if (vmi === undefined) return undefined;
  const claim = claimOn(vm, vmi);
  if (claim === 'orphan') return adopt(shell, vm, virtualMachineInstances, vmi);
  return claim === 'own' ? vmi : undefined;
}

export async function claimDataVolumes(shell: Shell, vm: VirtualMachine): Promise<void> {
  const { namespace = '' } = vm.metadata;
  for (const { metadata } of templatesOf(vm)) {
    const dataVolume = shell.caches.dataVolumes.get({ namespace, name: metadata?.name ?? '' });
    if (dataVolume !== undefined && claimOn(vm, dataVolume) === 'orphan')
      await adopt(shell, vm, dataVolumes, dataVolume);
  }
}

async function adopt<T extends KubeObject>(
  shell: Shell,
  vm: VirtualMachine,
  type: ResourceType<T>,
  object: T,
): Promise<T> {
  // Reads the VM from the server, because the cache may not show its deletion yet: an object that an orphaning deletion
  // just released would be adopted and then deleted with the VM.
  if (!(await stays(shell, vm)))
    throw new KubeError('Conflict', `VirtualMachine "${vm.metadata.name}" goes, and takes nothing in`, { code: 409 });
  const { client, signal } = shell;
  const { uid, resourceVersion, ownerReferences = [] } = object.metadata;
  const references = [...ownerReferences, controllerReference(virtualMachines, vm)];
  const body = { metadata: { uid, resourceVersion, ownerReferences: references } };
  return client.patch(type, keyOfObject(object), { type: 'merge', body }, { signal });
}

async function stays({ client, signal }: Shell, vm: VirtualMachine): Promise<boolean> {
  try {
    const { metadata } = await client.get(virtualMachines, keyOfObject(vm), { metadataOnly: true, signal });
    return metadata.uid === vm.metadata.uid && metadata.deletionTimestamp === undefined;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
