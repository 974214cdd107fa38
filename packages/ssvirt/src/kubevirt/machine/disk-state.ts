/** The progress of a disk. */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import { fields, known, text } from '../facts/reading.ts';
import type { StorageClassFacts } from './storage-class.ts';

export interface DiskState {
  readonly name: string;
  /** The phase of its claim: Pending, Bound, Lost. Absent if there is no claim yet. */
  readonly phase?: string;
  readonly dataVolume?: DataVolumeFacts;
  /** Its claim is bound when the VM first starts. */
  readonly waitsForConsumer?: true;
  /** Its claim was deleted, and remains as long as a VM runs with it. */
  readonly isLeaving?: true;
}

export function diskState(
  name: string,
  { claim, dataVolume }: { readonly claim?: unknown; readonly dataVolume?: DataVolumeFacts },
  classes: readonly StorageClassFacts[],
): DiskState {
  const { metadata, spec, status } = fields(claim);
  const className = fields(spec)['storageClassName'];
  return known<DiskState>({
    name,
    phase: claim === undefined ? undefined : (text(fields(status)['phase'], 64) ?? 'Pending'),
    dataVolume,
    waitsForConsumer: classes.find((one) => one.name === className)?.waitsForConsumer,
    isLeaving: fields(metadata)['deletionTimestamp'] === undefined ? undefined : true,
  });
}

/** Its claim is bound, and it is filled if it has a source. */
export function isReady({ phase, dataVolume }: DiskState): boolean {
  return phase === 'Bound' && (dataVolume === undefined || dataVolume.phase === 'Succeeded');
}

/** Nothing more can be done for it before the VM starts. */
export function isWaitingForStart({ phase, dataVolume, waitsForConsumer }: DiskState): boolean {
  if (dataVolume?.phase === 'WaitForFirstConsumer' || dataVolume?.phase === 'PendingPopulation') return true;
  return waitsForConsumer === true && phase === 'Pending' && dataVolume === undefined;
}

/**
 * A warning about a claim that is being deleted: the deletion cannot be undone, but the data can still be backed up.
 */
export function describeEnd({ name, isLeaving }: DiskState): readonly string[] {
  if (isLeaving !== true) return [];
  return [
    `The claim of the disk "${name}" was deleted: back up its data while the machine runs. When the machine stops, the disk is lost and created again.`,
  ];
}

/** `describeDisk` returns a sentence about what remains to be done. */
export function describeDisk(disk: DiskState): string {
  const { name, phase, dataVolume } = disk;
  const which = `disk "${name}"`;
  if (phase === 'Lost') return `The volume behind the ${which} is gone: its data are lost with it.`;
  if (isWaitingForStart(disk)) return `The ${which} is bound when the machine first starts.`;
  if (dataVolume !== undefined && phase !== undefined)
    return `The ${which} is being filled (${dataVolume.phase ?? 'Pending'}).`;
  return phase === undefined
    ? `The ${which} is ${dataVolume === undefined ? 'not made yet' : 'being made'}.`
    : `The ${which} waits for its storage: its claim is ${phase}. If it stays so, verify that its StorageClass has available capacity.`;
}
