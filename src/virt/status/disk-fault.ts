/** Why a disk is not there yet, in the words of whoever asked for it: the disk by the name that it has in the machine, the cause as the cluster tells it. */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { Disk } from '../facts/disks.ts';
import { because, fault, quoted, type Fault, type FaultReason } from './faults.ts';
import { refusal } from './refusal.ts';

/** A DataVolume, and the disk of the machine that it becomes. */
export interface DiskVolume extends DataVolumeFacts {
  /** The name of the disk; that of the DataVolume where no disk refers to it. */
  readonly disk: string;
}

export function diskVolumes(dataVolumes: readonly DataVolumeFacts[], disks: readonly Disk[]): readonly DiskVolume[] {
  return dataVolumes.map((one) => ({ ...one, disk: diskOfClaim(disks, one.name) ?? one.name }));
}

/** The disk whose claim, or DataVolume, has that name. */
export function diskOfClaim(disks: readonly Disk[], claim: string | undefined): string | undefined {
  return claim === undefined ? undefined : disks.find((disk) => disk.claim === claim)?.name;
}

const missingClass = /storageclass(?:es)?(?:\.storage\.k8s\.io)? "([^"]+)" not found/i;
/** CDI says this both of a class that is not there and of a missing default. */
const noClassFound = 'no storageClass to choose profile';
const missingProfile = /no accessMode specified in StorageProfile (\S+)/;

export interface DiskTrouble {
  readonly reason: FaultReason;
  /** A sentence without its full stop. */
  readonly cause: string;
  /** What to do about a disk that is in the machine; empty where the cause says it. */
  readonly wayOut: string;
  /** The cluster tries again by itself. */
  readonly passing: boolean;
}

export function diskFault(volume: DiskVolume): Fault | undefined {
  const trouble = diskTrouble(volume);
  if (trouble === undefined) return undefined;
  const { reason, cause, wayOut } = trouble;
  return fault(reason, wayOut === '' ? `${cause}.` : `${cause}. ${wayOut}.`);
}

/** Undefined where nothing is known to keep it from being made; what is Pending for its first consumer is well. */
export function diskTrouble(volume: DiskVolume): DiskTrouble | undefined {
  const { phase, refused, unprovided } = volume;
  if (phase === 'Succeeded') return undefined;
  if (refused !== undefined) return refusedTrouble(volume, refused.message ?? '');
  return unprovided === undefined ? undefined : unprovidedTrouble(volume, unprovided);
}

function refusedTrouble(volume: DiskVolume, message: string): DiskTrouble {
  const { reason, sentence } = refusal({ message });
  if (reason === 'QUOTA_EXCEEDED')
    return lasting(reason, `Its disk "${volume.disk}" cannot be made: ${lowerFirst(quoted(sentence))}`);
  if (reason !== 'REFUSED') return lasting(reason, quoted(sentence));
  const cause = `The storage for its disk "${volume.disk}" cannot be provided${because(told(volume, message))}`;
  return classTrouble(volume, message) ?? lasting('DISK_REFUSED', cause);
}

function unprovidedTrouble(volume: DiskVolume, message: string): DiskTrouble {
  const known = classTrouble(volume, message);
  if (known !== undefined) return known;
  return {
    reason: 'DISK_PENDING',
    cause: `Its disk "${volume.disk}" waits for its storage${because(told(volume, message))}`,
    wayOut: 'The cluster tries again; ask an administrator if this lasts',
    passing: true,
  };
}

function classTrouble({ disk, className }: DiskVolume, message: string): DiskTrouble | undefined {
  const missing = missingClass.exec(message)?.[1] ?? (message.includes(noClassFound) ? className : undefined);
  const cannot = `Its disk "${disk}" cannot be made:`;
  if (missing !== undefined)
    return lasting(
      'DISK_REFUSED',
      `${cannot} the storage class "${quoted(missing)}" does not exist`,
      'Remove the disk and add it with another class, or ask an administrator to create that class',
    );
  if (message.includes(noClassFound))
    return lasting(
      'DISK_REFUSED',
      `${cannot} no storage class is named for it, and the cluster has no default`,
      'Remove the disk and add it with a class, or ask an administrator to mark one as the default',
    );
  const profile = missingProfile.exec(message)?.[1];
  if (profile === undefined) return undefined;
  return lasting(
    'DISK_REFUSED',
    `${cannot} the cluster does not know which access mode its storage class "${quoted(profile)}" takes`,
    'Ask an administrator to complete the StorageProfile, or remove the disk and add it with another class',
  );
}

function lasting(reason: FaultReason, cause: string, wayOut = ''): DiskTrouble {
  return { reason, cause, wayOut, passing: false };
}

/** With the name of the disk in the place of that of its claim. */
function told({ name, disk }: DiskVolume, message: string): string {
  return name === disk ? message : message.replaceAll(name, disk);
}

export function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
