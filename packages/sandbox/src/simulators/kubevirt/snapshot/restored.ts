/** Builds a VM from the spec in a snapshot. Snapshots contain no volumes, so the disks stay as they are. */
import type { VirtualMachine } from '../objects.ts';
import type { VirtualMachineRestore, VirtualMachineSnapshotContent } from './kinds.ts';

const LAST_RESTORE = 'restore.kubevirt.io/lastRestoreUID';

const markOf = ({ metadata }: VirtualMachineRestore): string => `${metadata.name ?? ''}-${metadata.uid ?? ''}`;

export const isRestored = (restore: VirtualMachineRestore, { metadata }: VirtualMachine): boolean =>
  metadata.annotations?.[LAST_RESTORE] === markOf(restore);

type Taken = NonNullable<VirtualMachineSnapshotContent['spec']['source']['virtualMachine']>;

/** An existing VM keeps its run strategy but is not running; a new one is halted. */
export function restored(
  restore: VirtualMachineRestore,
  taken: Taken,
  existing: VirtualMachine | undefined,
): VirtualMachine {
  const { running: _, runStrategy: __, ...spec } = taken.spec;
  const mark = { [LAST_RESTORE]: markOf(restore) };
  if (existing === undefined)
    return {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: {
        name: restore.spec.target.name,
        namespace: restore.metadata.namespace ?? '',
        ...(taken.metadata.labels === undefined ? {} : { labels: taken.metadata.labels }),
        annotations: { ...taken.metadata.annotations, ...mark },
      },
      spec: { ...spec, runStrategy: 'Halted' },
    };
  const { metadata } = existing;
  const strategy =
    existing.spec.running === undefined ? { runStrategy: existing.spec.runStrategy ?? 'Halted' } : { running: false };
  return {
    ...existing,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...mark } },
    spec: { ...spec, ...strategy },
  };
}
