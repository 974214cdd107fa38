/** Computes the status of a snapshot from the snapshot, its VM and its content. */
import { parseDuration } from '../../../objects/cel/library/time.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { set } from './conditions.ts';
import type { SnapshotStatus, VirtualMachineSnapshot, VirtualMachineSnapshotContent } from './kinds.ts';
import { indicationsOf, isLocked, volumesTaken } from './source.ts';

const DEADLINE_MS = 5 * 60_000;

export const isInProgress = ({ status }: VirtualMachineSnapshot): boolean =>
  status?.phase !== 'Failed' && status?.phase !== 'Succeeded';

/** No valid Go duration is longer. */
const LONGEST_TEXT = 64;

/**
 * The deadline in real-cluster time; undefined if there is none. The text is not validated: it may have any content and
 * length.
 */
export function deadlineMs({ spec }: VirtualMachineSnapshot): number | undefined {
  const text = spec.failureDeadline;
  if (text === undefined) return DEADLINE_MS;
  const { nanos = 0n } = (text.length > LONGEST_TEXT ? undefined : parseDuration(text)) ?? {};
  return nanos === 0n ? undefined : Number(nanos) / 1e6;
}

export interface SnapshotScene {
  readonly snapshot: VirtualMachineSnapshot;
  readonly vm: VirtualMachine | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly content: VirtualMachineSnapshotContent | undefined;
  /** Why the VM could not be locked. */
  readonly obstacle: string | undefined;
  readonly isLate: boolean;
  readonly now: string;
}

export function snapshotStatus(scene: SnapshotScene): SnapshotStatus {
  const { snapshot, vm, content, now } = scene;
  const taken = content?.status;
  const before: SnapshotStatus = snapshot.status ?? { readyToUse: false };
  const status: SnapshotStatus = {
    ...before,
    ...(vm?.metadata.uid === undefined ? {} : { sourceUID: vm.metadata.uid }),
    ...(content === undefined || taken === undefined
      ? {}
      : {
          virtualMachineSnapshotContentName: content.metadata.name ?? '',
          ...(taken.creationTime === undefined ? {} : { creationTime: taken.creationTime }),
          ...(taken.readyToUse === undefined ? {} : { readyToUse: taken.readyToUse }),
        }),
  };
  const next = phased(scene, status);
  const [ready, reason] = next.readyToUse === true ? (['True', 'Ready'] as const) : (['False', 'Not ready'] as const);
  return { ...next, conditions: set(next.conditions ?? [], 'Ready', ready, reason, now) };
}

function phased(scene: SnapshotScene, status: SnapshotStatus): SnapshotStatus {
  const { snapshot, content, now, isLate } = scene;
  const conditions = status.conditions ?? [];
  if (status.phase === 'Failed' || (isLate && isInProgress(snapshot)))
    return {
      ...status,
      phase: 'Failed',
      conditions: set(
        set(conditions, 'Failure', 'True', 'snapshot deadline exceeded', now),
        'Progressing',
        'False',
        'Operation failed',
        now,
      ),
    };
  if (status.phase === 'Succeeded' || typeof status.creationTime === 'string') {
    const volumes = content === undefined ? undefined : volumesTaken(content);
    return {
      ...status,
      phase: 'Succeeded',
      conditions: set(conditions, 'Progressing', 'False', 'Operation complete', now),
      ...(volumes === undefined ? {} : { snapshotVolumes: volumes }),
    };
  }
  if (snapshot.metadata.deletionTimestamp !== undefined)
    return {
      ...status,
      phase: 'Deleting',
      conditions: set(conditions, 'Progressing', 'False', 'VM snapshot is deleting', now),
    };
  return whileInProgress(scene, { ...status, phase: 'InProgress' });
}

function whileInProgress(
  { snapshot, vm, vmi, obstacle = '', now }: SnapshotScene,
  status: SnapshotStatus,
): SnapshotStatus {
  const conditions = status.conditions ?? [];
  if (vm === undefined)
    return { ...status, conditions: set(conditions, 'Progressing', 'False', 'Source does not exist', now) };
  const { indications: _, sourceIndications: __, ...rest } = status;
  const locked = isLocked(vm, snapshot);
  return {
    ...rest,
    ...indicationsOf(vmi),
    conditions: locked
      ? set(conditions, 'Progressing', 'True', 'Source locked and operation in progress', now)
      : set(conditions, 'Progressing', 'False', `Source not locked${obstacle}`, now),
  };
}
