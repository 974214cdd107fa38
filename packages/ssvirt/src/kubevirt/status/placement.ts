/** Rewrites messages of the scheduler, and those about claims, for people. */
import type { Saying } from '../facts/condition.ts';
import type { Disk } from '../facts/disks.ts';
import { diskFault, diskOfClaim, type DiskVolume } from './disk-fault.ts';
import { fault, type Fault } from './faults.ts';
import { unschedulable } from './scheduler-message.ts';

const missingClaim = /PVC (?:[^\s/]+\/)?(\S+) does not exist/;

/**
 * A claim that does not exist may be about to be created if its DataVolume exists. KubeVirt continues to report it as
 * missing for a while after its creation.
 */
export function missingDisk(
  { message = '' }: Saying,
  dataVolumes: readonly DiskVolume[],
  disks: readonly Disk[],
): Fault {
  const [, claim] = missingClaim.exec(message) ?? [];
  const volume = dataVolumes.find(({ name }) => name === claim);
  if (volume !== undefined)
    return (
      diskFault(volume) ??
      fault('DISK_PENDING', `Its disk "${volume.disk}" is not ready yet: the storage has not provided it so far.`)
    );
  const which = claim === undefined ? 'A disk that it names' : `Its disk "${diskOfClaim(disks, claim) ?? claim}"`;
  return fault('DISK_MISSING', `${which} does not exist: create it, or take it off the machine.`);
}

/** KubeVirt reports Unschedulable for a missing claim, too. */
export function unplaced(said: Saying, dataVolumes: readonly DiskVolume[], disks: readonly Disk[]): Fault {
  const { message = '' } = said;
  if (missingClaim.test(message)) return missingDisk(said, dataVolumes, disks);
  if (/unbound immediate PersistentVolumeClaims|binding volumes/.test(message)) return unboundDisks(dataVolumes);
  return unschedulable(message);
}

function unboundDisks(dataVolumes: readonly DiskVolume[]): Fault {
  const open = dataVolumes.filter(({ phase }) => phase !== 'Succeeded');
  const known = open.map(diskFault).find((one) => one !== undefined);
  if (known !== undefined) return known;
  const names = open.map(({ disk }) => `"${disk}"`).join(', ');
  const which =
    open.length === 0 ? 'Its disks are' : open.length === 1 ? `Its disk ${names} is` : `Its disks ${names} are`;
  const them = open.length === 1 ? 'it' : 'them';
  return fault('DISK_PENDING', `${which} not ready yet: the storage has not provided ${them} so far.`);
}
