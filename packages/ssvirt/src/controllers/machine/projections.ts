/** What the caches keep of the children of Machines. */
import type { Projected, Projection } from '@ssvirt/kube/informer/informer';
import {
  childrenOf,
  factsOnce,
  factsProjection,
  namespaceProjectionBy,
  storageOf,
  type WithFacts,
} from '../../fleet/projections.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { dataVolumeFacts, type DataVolumeFacts } from '../../kubevirt/facts/data-volume.ts';
import { fields, known, text } from '../../kubevirt/facts/reading.ts';
import { vmFacts, type VmFacts } from '../../kubevirt/facts/vm.ts';
import { vmiFacts, type VmiFacts } from '../../kubevirt/facts/vmi.ts';
import { claimsOfInstance, claimsOfVm } from '../../kubevirt/machine/claim-volumes.ts';
import { annotations as annotationNames, labels } from '../../kubevirt/machine/resource.ts';
import { storageClassFacts, type StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { fieldManager } from './machine-types.ts';

/** `ProjectedClaim` is the part of a PersistentVolumeClaim that disks are planned by, in its original shape. */
export interface ProjectedClaim extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: { readonly phase?: string };
}

export interface MachineVm extends WithFacts<VmFacts> {
  /** The names of the PersistentVolumeClaims that it has as volumes: all of them, other than `facts.disks`. */
  readonly claims: readonly string[];
}

export interface MachineInstance extends WithFacts<VmiFacts> {
  readonly claims: readonly string[];
}

export interface ProjectedDataVolume extends WithFacts<DataVolumeFacts> {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: { readonly phase?: string };
}

const child = childrenOf({
  of: 'a machine',
  fieldManager,
  labels: [labels.managedBy, labels.supervisor],
  // The first two are CDI's: a PersistentVolumeClaim with one of them was not created empty. The others are the
  // settings that a VM had when it was adopted, those of the networks of an instance, and the restart that it followed.
  annotations: [
    'cdi.kubevirt.io/storage.contentType',
    'cdi.kubevirt.io/createdForDataVolume',
    annotationNames.adopted,
    annotationNames.networks,
    annotationNames.restart,
  ],
  // CDI's PersistentVolumeClaims name their DataVolume as owner.
  owners: true,
});

export const vmProjection: Projection<KubeObject, MachineVm> = child('virtual machine', (object) => ({
  facts: factsOnce(object, vmFacts),
  claims: claimsOnce(object, claimsOfVm),
}));

export const instanceProjection: Projection<KubeObject, MachineInstance> = child('instance', (object) => ({
  facts: factsOnce(object, vmiFacts),
  claims: claimsOnce(object, claimsOfInstance),
}));

/** A projection may be applied to its own result. */
function claimsOnce(object: KubeObject, read: (object: unknown) => readonly string[]): readonly string[] {
  return 'claims' in object ? (object as MachineVm).claims : read(object);
}

/** Secrets and NetworkAttachmentDefinitions. Their contents are never read. */
export const childProjection: Projection<KubeObject, KubeObject> = child('child', () => ({}));

export const claimProjection: Projection<KubeObject, ProjectedClaim> = child('claim', (object) => {
  const { spec, status } = fields(object);
  return {
    spec: storageOf(spec),
    status: known<ProjectedClaim['status']>({ phase: text(fields(status)['phase'], 64) }),
  };
});

export const dataVolumeProjection: Projection<KubeObject, ProjectedDataVolume> = child('data volume', (object) => {
  const { spec, status } = fields(object);
  const { storage, pvc, source, sourceRef } = fields(spec);
  return {
    facts: factsOnce(object, dataVolumeFacts),
    spec: known({ storage: storageOf(storage ?? pvc), source, sourceRef }),
    status: known<ProjectedDataVolume['status']>({ phase: text(fields(status)['phase'], 64) }),
  };
});

export const classProjection: Projection<KubeObject, WithFacts<StorageClassFacts>> = factsProjection(
  'storage class for machines',
  storageClassFacts,
);

/** The only information kept of a namespace is whether VMs may be created in it. */
const asked = [labels.supervisor, annotationNames.allowMachines, annotationNames.allowCopies];
export const namespaceProjection: Projection<KubeObject, Projected> = namespaceProjectionBy('namespace for machines', {
  labels: asked,
  annotations: asked,
});
