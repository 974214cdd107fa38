/** The objects that the VM controller reads, from the caches that all components share. */
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Informers } from '@ssvirt/kube/informer/informers';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import type { Unstructured } from '@ssvirt/kube/object';
import * as kinds from '../objects.ts';
import { claimNameOf, volumesOf } from './domain.ts';

export interface VmCaches {
  readonly vms: Informer<kinds.VirtualMachine>;
  readonly vmis: Informer<kinds.VirtualMachineInstance>;
  readonly dataVolumes: Informer<kinds.DataVolume>;
  readonly claims: Informer<kinds.PersistentVolumeClaim>;
  readonly revisions: Informer<Unstructured>;
  readonly kubeVirts: Informer<Unstructured>;
  readonly storageClasses: Informer<Unstructured>;
}

/** Indexes VMs by `namespace/name` of the DataVolumes and PVCs that their volumes name. */
export const BY_CLAIM = 'vm-by-claim';
/** `BY_PLAIN_CLAIM` is the same index without volumes that name a DataVolume. */
export const BY_PLAIN_CLAIM = 'vm-by-plain-claim';
/** Indexes ControllerRevisions by the uid of the VM that owns them. */
export const BY_VM = 'revision-by-vm';

export function cachesOf(informers: Informers): VmCaches {
  const caches: VmCaches = {
    vms: informers.informer(kinds.virtualMachines),
    vmis: informers.informer(kinds.virtualMachineInstances),
    dataVolumes: informers.informer(kinds.dataVolumes),
    claims: informers.informer(kinds.persistentVolumeClaims),
    revisions: informers.informer(kinds.controllerRevisions),
    kubeVirts: informers.informer(kinds.kubeVirts),
    storageClasses: informers.informer(kinds.storageClasses),
  };
  caches.vms.addIndex(BY_CLAIM, (vm) => claimsOf(vm, () => true));
  caches.vms.addIndex(BY_PLAIN_CLAIM, (vm) => claimsOf(vm, ({ dataVolume }) => dataVolume === undefined));
  caches.revisions.addIndex(BY_VM, (revision) => {
    const owner = controllerOf(revision);
    return owner?.kind === 'VirtualMachine' ? [owner.uid] : [];
  });
  return caches;
}

function claimsOf(vm: kinds.VirtualMachine, chosen: (volume: kinds.Volume) => boolean): readonly string[] {
  return volumesOf(vm.spec.template.spec)
    .filter(chosen)
    .flatMap((volume) => claimNameOf(volume) ?? [])
    .map((name) => `${vm.metadata.namespace}/${name}`);
}
