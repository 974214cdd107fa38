/**
 * Why a disk does not exist yet, in terms that the user knows: the disk by its name in the VM, the cause as the cluster
 * reports it.
 */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { Disk } from '../facts/disks.ts';
import { because, fault, quoted, type Fault, type FaultReason } from './faults.ts';
import { refusal } from './refusal.ts';

/** `DiskVolume` is a DataVolume with the disk of the VM that it becomes. */
export interface DiskVolume extends DataVolumeFacts {
  /** The name of the disk, or of the DataVolume if no disk refers to it. */
  readonly disk: string;
}

export function diskVolumes(dataVolumes: readonly DataVolumeFacts[], disks: readonly Disk[]): readonly DiskVolume[] {
  return dataVolumes.map((one) => ({ ...one, disk: diskOfClaim(disks, one.name) ?? one.name }));
}

/** `diskOfClaim` returns the disk whose claim, or DataVolume, has that name. */
export function diskOfClaim(disks: readonly Disk[], claim: string | undefined): string | undefined {
  return claim === undefined ? undefined : disks.find((disk) => disk.claim === claim)?.name;
}

const missingClass = /storageclass(?:es)?(?:\.storage\.k8s\.io)? "([^"]+)" not found/i;
/** CDI uses this message both for a class that does not exist and for a missing default. */
const noClassFound = 'no storageClass to choose profile';
const missingProfile = /no accessMode specified in StorageProfile (\S+)/;

export interface DiskTrouble {
  readonly reason: FaultReason;
  /** A sentence without its full stop. */
  readonly cause: string;
  /** What to do about a disk of the VM; empty if the cause says it. */
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

/** `diskTrouble` returns undefined if nothing is known to prevent its creation. A disk that waits for its first consumer is fine. */
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
  const cause = `The storage for its disk "${volume.disk}" cannot be provided${because(withDiskName(volume, message))}`;
  return classTrouble(volume, message) ?? lasting('DISK_REFUSED', cause);
}

function unprovidedTrouble(volume: DiskVolume, message: string): DiskTrouble {
  const known = classTrouble(volume, message);
  if (known !== undefined) return known;
  return {
    reason: 'DISK_PENDING',
    cause: `Its disk "${volume.disk}" waits for its storage${because(withDiskName(volume, message))}`,
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

/** Replaces the name of the claim by the name of the disk. */
function withDiskName({ name, disk }: DiskVolume, message: string): string {
  return name === disk ? message : message.replaceAll(name, disk);
}

export function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
