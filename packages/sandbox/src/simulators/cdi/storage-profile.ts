/** What CDI knows about a storage class: which PVCs it can serve, and how its disks are cloned. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { listAt, textAt, textsAt, valueAt } from '../../objects/kinds/values/fields.ts';
import { DEFAULT_CLASS, DEFAULT_VIRT_CLASS, DRIVER } from '../storage/classes.ts';

export interface ClaimProperties {
  readonly accessModes: readonly string[];
  readonly volumeMode: 'Block' | 'Filesystem';
}

export type CloneStrategy = 'copy' | 'snapshot' | 'csi-clone';

const properties = (volumeMode: ClaimProperties['volumeMode'], ...accessModes: string[]): ClaimProperties => ({
  accessModes,
  volumeMode,
});

/** Block storage that every node reaches. */
const shared = [
  properties('Block', 'ReadWriteMany'),
  properties('Block', 'ReadWriteOnce'),
  properties('Filesystem', 'ReadWriteOnce'),
];
/** A disk in a node. */
const local = [properties('Filesystem', 'ReadWriteOnce'), properties('Block', 'ReadWriteOnce')];

/** A few other provisioners that are common in home labs. All others are treated as CDI treats unknown ones. */
const known: Readonly<Record<string, readonly ClaimProperties[]>> = {
  'openshift-storage.rbd.csi.ceph.com': shared,
  'rbd.csi.ceph.com': shared,
  'rook-ceph.rbd.csi.ceph.com': shared,
  'driver.longhorn.io': [properties('Block', 'ReadWriteMany'), properties('Filesystem', 'ReadWriteOnce')],
  'kubevirt.io.hostpath-provisioner': [properties('Filesystem', 'ReadWriteOnce')],
  'kubevirt.io/hostpath-provisioner': [properties('Filesystem', 'ReadWriteOnce')],
  'rancher.io/local-path': [properties('Filesystem', 'ReadWriteOnce')],
  'k8s.io/minikube-hostpath': [properties('Filesystem', 'ReadWriteOnce')],
  'ebs.csi.aws.com': [properties('Block', 'ReadWriteOnce'), properties('Filesystem', 'ReadWriteOnce')],
};

const partOf = (object: Unstructured | undefined, field: string): JsonObject | undefined => {
  const value = object?.[field] as Json | undefined;
  return isObject(value) ? value : undefined;
};

/** Best first; empty if the provisioner is unknown. What an administrator wrote into the profile takes precedence. */
export function claimPropertySets(
  storageClass: Unstructured,
  profile: Unstructured | undefined,
): readonly ClaimProperties[] {
  const written = listAt(partOf(profile, 'spec'), 'claimPropertySets');
  if (written.length > 0)
    return written.map((one) =>
      properties(textAt(one, 'volumeMode') === 'Block' ? 'Block' : 'Filesystem', ...textsAt(one, 'accessModes')),
    );
  const provisioner = String(storageClass['provisioner']);
  if (provisioner === DRIVER) return waitsForConsumer(storageClass) ? local : shared;
  return valueAt(known, provisioner) ?? [];
}

export function cloneStrategyOf(profile: Unstructured | undefined): CloneStrategy {
  const written = textAt(partOf(profile, 'spec'), 'cloneStrategy');
  return written === 'csi-clone' || written === 'snapshot' ? written : 'copy';
}

/** `profileStatus` computes the status of the profile. */
export function profileStatus(storageClass: Unstructured, profile: Unstructured | undefined): JsonObject {
  const format = textAt(partOf(profile, 'spec'), 'dataImportCronSourceFormat');
  const sets = claimPropertySets(storageClass, profile);
  return {
    ...(sets.length === 0
      ? {}
      : { claimPropertySets: sets.map((set) => ({ ...set, accessModes: [...set.accessModes] })) }),
    cloneStrategy: cloneStrategyOf(profile),
    dataImportCronSourceFormat: format === 'snapshot' ? 'snapshot' : 'pvc',
    provisioner: String(storageClass['provisioner']),
    storageClass: storageClass.metadata.name ?? '',
  };
}

export function waitsForConsumer(storageClass: Unstructured | undefined): boolean {
  return storageClass?.['volumeBindingMode'] === 'WaitForFirstConsumer';
}

/** With a CSI driver, a PVC is filled before it is bound. Manually created volumes have no driver. */
export function isCsi(storageClass: Unstructured | undefined): boolean {
  return storageClass !== undefined && storageClass['provisioner'] !== 'kubernetes.io/no-provisioner';
}

/** The newest class with the annotation; if two were created in the same second, the first by name. */
function markedAs(classes: readonly Unstructured[], annotation: string): Unstructured | undefined {
  return classes
    .filter(({ metadata }) => metadata.annotations?.[annotation] === 'true')
    .toSorted(
      ({ metadata: a }, { metadata: b }) =>
        Date.parse(b.creationTimestamp ?? '') - Date.parse(a.creationTimestamp ?? '') ||
        ((a.name ?? '') < (b.name ?? '') ? -1 : 1),
    )[0];
}

/**
 * `chooseClass` picks the storage class of a disk. The default class for VMs is used only for disks of VMs, and only if
 * CDI completes the PVC.
 */
export function chooseClass(
  classes: readonly Unstructured[],
  { name, forMachines }: { readonly name: string; readonly forMachines: boolean },
): Unstructured | undefined {
  if (name !== '') return classes.find(({ metadata }) => metadata.name === name);
  return (forMachines ? markedAs(classes, DEFAULT_VIRT_CLASS) : undefined) ?? markedAs(classes, DEFAULT_CLASS);
}
