/** The scheduler's words, and those about claims, for people. */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { Saying } from '../facts/condition.ts';
import { because, fault, type Fault } from './faults.ts';

const missingClaim = /PVC (?:[^\s/]+\/)?(\S+) does not exist/;

/** A claim that does not exist may be on its way: its DataVolume is there. KubeVirt goes on to miss it for a while after it has come. */
export function missingDisk({ message = '' }: Saying, dataVolumes: readonly DataVolumeFacts[]): Fault {
  const [, claim] = missingClaim.exec(message) ?? [];
  if (dataVolumes.some(({ name }) => name === claim))
    return fault('DISK_PENDING', `Its disk "${claim ?? ''}" is not ready yet.`);
  const which = claim === undefined ? 'A disk that it names' : `Its disk "${claim}"`;
  return fault('DISK_MISSING', `${which} does not exist: create it, or take it off the machine.`);
}

/** KubeVirt says Unschedulable of a missing claim, too. */
export function unplaced(said: Saying, dataVolumes: readonly DataVolumeFacts[]): Fault {
  const { message = '' } = said;
  if (missingClaim.test(message)) return missingDisk(said, dataVolumes);
  if (/unbound immediate PersistentVolumeClaims|binding volumes/.test(message))
    return fault('DISK_PENDING', 'Its disks are not ready yet: the storage has not provided them so far.');
  const reasons = reasonsIn(message);
  if (reasons !== '')
    return fault(
      'NO_ROOM',
      `No node has room for it: ${reasons}. Make it smaller, or ask an administrator for more capacity.`,
    );
  return fault('NO_ROOM', `No node has room for it${because(message)}.`);
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}. preemption: …` gives `1 with too little cpu, 2 …`. */
function reasonsIn(message: string): string {
  const [, reasons = ''] = /^0\/\d+ nodes are available: (.+?)\.?(?: preemption: .*)?$/.exec(message) ?? [];
  return reasons
    .replaceAll(/(\d+) Insufficient (?:devices\.kubevirt\.io\/)?([\w./-]+)/g, '$1 with too little $2')
    .replaceAll(/(\d+) Too many pods/g, '$1 with as many machines as it may run')
    .replaceAll(/(\d+) node\(s\) were unschedulable/g, '$1 closed to new machines')
    .replaceAll(/(\d+) node\(s\) /g, '$1 ')
    .replace(/\.$/, '');
}
