/** What is wrong with a VM, in the vocabulary of the Machine operator. */
import type { FaultReason } from '../status/faults.ts';
import type { MachineObservation } from '../status/observe.ts';

const reasons: Readonly<Record<FaultReason, string>> = {
  NO_ROOM: 'InsufficientResources',
  UNSCHEDULABLE: 'Unschedulable',
  QUOTA_EXCEEDED: 'InsufficientResources',
  DISK_PENDING: 'PVCPending',
  DISK_MISSING: 'PVCPending',
  DISK_REFUSED: 'PVCPending',
  IMPORT_FAILED: 'PVCPending',
  SOURCE_MISSING: 'PVCPending',
  SOURCE_FORBIDDEN: 'PVCPending',
  IMAGE_UNAVAILABLE: 'VMFailed',
  SIZE_MISSING: 'VMFailed',
  POLICY_FORBIDS: 'VMFailed',
  ACCOUNT_MISSING: 'VMFailed',
  VDC_DELETING: 'VMFailed',
  REFUSED: 'VMFailed',
  NAME_TAKEN: 'NameConflict',
  START_FAILED: 'VMFailed',
  CRASH_LOOP: 'VMFailed',
  CRASHED: 'VMFailed',
  IO_ERROR: 'Paused',
  NODE_LOST: 'NodeLost',
  CHANGE_FAILED: 'VMFailed',
};

export function reasonOfFault(fault: FaultReason): string {
  return reasons[fault];
}

const waysOut: Readonly<Partial<Record<FaultReason, string>>> = {
  DISK_PENDING: 'If it stays so, check storageClass, accessMode and source in spec.disks.',
  IMPORT_FAILED: 'Correct spec.disks[].source: a disk that was never filled is created again.',
  SOURCE_MISSING: 'Correct spec.disks[].source: a disk that was never filled is created again.',
};

/** A Machine lives in a namespace; "virtual data center" is a term of the tenant API. */
export function sentenceOf({
  fault,
  faultReason,
}: Pick<MachineObservation, 'fault' | 'faultReason'>): string | undefined {
  const said = fault?.replaceAll('virtual data center', 'namespace');
  const way = faultReason === undefined ? undefined : waysOut[faultReason];
  return said === undefined || way === undefined ? said : `${said} ${way}`;
}
