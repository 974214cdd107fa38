/** Says why a VM cannot be copied. Without its disks, the copy and the original would write to the same ones. */
import type { VirtualMachine, Volume } from '../objects.ts';
import type { VirtualMachineSnapshotContent } from '../snapshot/kinds.ts';
import { claimNameOf, volumesOf } from '../vm/domain.ts';
import type { VolumeSnapshotStatus } from '../vm/volumes/volume-snapshots.ts';

type Source = Pick<VirtualMachine, 'spec'>;

const disksOf = ({ spec }: Source): readonly Volume[] =>
  volumesOf(spec.template.spec).filter((volume) => claimNameOf(volume) !== undefined);

/** `notSnapshotable` checks a VM before a snapshot is taken. Undefined if all its disks can be snapshotted. */
export function notSnapshotable(vm: Source & Pick<VirtualMachine, 'status'>): string | undefined {
  const statuses = (vm.status?.['volumeSnapshotStatuses'] ?? []) as readonly VolumeSnapshotStatus[];
  return joined(disksOf(vm), ({ name }) => {
    const found = statuses.find((status) => status.name === name);
    if (found === undefined) return `Virtual Machine volume ${name} snapshot support unknown`;
    return found.enabled ? undefined : `Virtual Machine volume ${name} does not support snapshots`;
  });
}

/** `notBackedUp` checks the content of a snapshot. */
export function notBackedUp({ spec }: VirtualMachineSnapshotContent): string | undefined {
  const { source, volumeBackups = [] } = spec;
  const { virtualMachine } = source;
  if (virtualMachine === undefined) return undefined;
  return joined(disksOf(virtualMachine), ({ name }) =>
    volumeBackups.some(({ volumeName }) => volumeName === name)
      ? undefined
      : `volume ${name} is not backed up in snapshot ${spec.virtualMachineSnapshotName ?? ''}`,
  );
}

function joined(volumes: readonly Volume[], complaint: (volume: Volume) => string | undefined): string | undefined {
  const complaints = volumes.map(complaint).filter((one) => one !== undefined);
  return complaints.length === 0 ? undefined : complaints.join('\n');
}
