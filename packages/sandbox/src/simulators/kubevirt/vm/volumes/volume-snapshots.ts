/** Says for each volume of a VM whether it can be snapshotted, or why not. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { PersistentVolumeClaim, VirtualMachine, Volume } from '../../objects.ts';
import { claimNameOf, volumesOf } from '../domain.ts';

export interface VolumeSnapshotStatus {
  readonly name: string;
  readonly enabled: boolean;
  readonly reason?: string;
}

export interface StorageSight {
  /** Looks up a PVC in the VM's namespace. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly storageClass: (name: string) => Unstructured | undefined;
  readonly snapshotClasses: readonly Unstructured[];
}

export function volumeSnapshotStatuses(vm: VirtualMachine, sight: StorageSight): readonly VolumeSnapshotStatus[] {
  return volumesOf(vm.spec.template.spec).map((volume) => {
    const reason = whyNot(volume, sight);
    return reason === undefined ? { name: volume.name, enabled: true } : { name: volume.name, enabled: false, reason };
  });
}

function whyNot(volume: Volume, { claim, storageClass, snapshotClasses }: StorageSight): string | undefined {
  const name = claimNameOf(volume);
  if (name === undefined) return `Snapshot is not supported for this volumeSource type [${volume.name}]`;
  const found = claim(name);
  if (found === undefined) return 'PVC not found';
  const className = found.spec['storageClassName'];
  const shown = typeof className === 'string' ? className : '';
  const provisioner = storageClass(shown)?.['provisioner'];
  const matching = snapshotClasses.filter(({ driver }) => provisioner !== undefined && driver === provisioner);
  if (matching.length === 0)
    return (
      'No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass ' +
      `[${shown}] [${volume.name}]`
    );
  if (matching.length === 1 || matching.some(isDefault)) return undefined;
  return `${matching.length} matching VolumeSnapshotClasses for ${shown}`;
}

function isDefault({ metadata: { annotations = {} } }: Unstructured): boolean {
  return annotations['snapshot.storage.kubernetes.io/is-default-class'] !== undefined;
}
