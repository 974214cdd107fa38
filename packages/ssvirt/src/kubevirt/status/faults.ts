/** Why a VM does not run: a reason for programs, and one sentence for the tenant. */

/** `faultReasons` are the reasons and their meanings. */
export const faultReasons = {
  NO_ROOM: 'no node that may run it has room for it',
  UNSCHEDULABLE: 'no node may run it: what it asks of a node, taints, or where its disks are',
  DISK_PENDING: 'a disk that it needs is not ready yet',
  DISK_MISSING: 'a disk that it names does not exist',
  DISK_REFUSED: 'the storage that one of its disks needs cannot be asked for',
  IMPORT_FAILED: 'a disk could not be filled',
  SOURCE_MISSING: 'what a disk is made from does not exist',
  SOURCE_FORBIDDEN: 'what a disk is made from may not be read',
  IMAGE_UNAVAILABLE: 'a container image cannot be pulled',
  QUOTA_EXCEEDED: 'a quota is used up',
  SIZE_MISSING: 'its instance type or preference does not exist',
  POLICY_FORBIDS: 'the security rules of its namespace do not allow it',
  ACCOUNT_MISSING: 'it names a service account that does not exist',
  VDC_DELETING: 'its namespace is being deleted',
  REFUSED: 'the cluster refuses it',
  NAME_TAKEN: 'another instance has its name',
  START_FAILED: 'its last start failed',
  CRASH_LOOP: 'it fails at every start',
  CRASHED: 'it ended with an error',
  IO_ERROR: 'it is paused since its storage fails',
  NODE_LOST: 'the node that it runs on does not answer',
  CHANGE_FAILED: 'it runs, but the last change of it could not be applied',
} as const;

export type FaultReason = keyof typeof faultReasons;

export interface Fault {
  readonly reason: FaultReason;
  /** One line. */
  readonly sentence: string;
}

const LONGEST_SENTENCE = 300;

export function fault(reason: FaultReason, sentence: string): Fault {
  const line = sentence.replaceAll(/\s+/g, ' ').trim();
  const short = line.length <= LONGEST_SENTENCE ? line : `${line.slice(0, LONGEST_SENTENCE - 1)}…`;
  return { reason, sentence: short.toWellFormed() };
}

/** `quoted` returns a message as a part of a sentence: without credentials in addresses, and without the full stop at its end. */
export function quoted(message: string | undefined): string {
  return (message ?? '')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/[^\s?"']+)\?[^\s"']*/gi, '$1')
    .replace(/[\s.]+$/, '');
}

/** `: message`, or an empty text. */
export function because(message: string | undefined): string {
  const text = quoted(message);
  return text === '' ? '' : `: ${text}`;
}
