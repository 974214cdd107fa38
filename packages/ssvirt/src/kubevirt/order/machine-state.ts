/** The state of an order's VM: it serves, is stopped or paused on request, or has failed. */
import type { FaultReason } from '../status/faults.ts';
import type { OrderObservation } from './observation.ts';

export type MachineState =
  | { readonly state: 'missing' | 'serving' | 'stopped' | 'paused' | 'underway' }
  | { readonly state: 'failed' | 'hindered'; readonly reason: string; readonly sentence: string };

/** These never count as failed, however long they last: when room or the disk becomes available, the VM starts. */
const neverFailures: ReadonlySet<FaultReason> = new Set(['NO_ROOM', 'UNSCHEDULABLE', 'DISK_PENDING']);

const reasons: Readonly<Partial<Record<FaultReason, string>>> = {
  NO_ROOM: 'Unschedulable',
  UNSCHEDULABLE: 'Unschedulable',
  QUOTA_EXCEEDED: 'InsufficientResources',
  DISK_PENDING: 'DiskPending',
  DISK_MISSING: 'DiskMissing',
  DISK_REFUSED: 'DiskRefused',
  IMPORT_FAILED: 'ImportFailed',
  SOURCE_MISSING: 'ImportFailed',
  SOURCE_FORBIDDEN: 'ImportFailed',
  IMAGE_UNAVAILABLE: 'ImagePullFailed',
  CRASH_LOOP: 'CrashLoopBackOff',
  NAME_TAKEN: 'NameConflict',
  IO_ERROR: 'StorageError',
  NODE_LOST: 'NodeLost',
};

const waysOut: Readonly<Partial<Record<FaultReason, string>>> = {
  IMPORT_FAILED: 'Check image_source and disk_size: the disk has to be larger than the image.',
};

export function machineState(seen: OrderObservation): MachineState {
  const { observation, dataVolume, vmReady } = seen;
  if (observation === undefined) return dataVolume?.phase === 'Failed' ? diskFailed(seen) : { state: 'missing' };
  const { status, faultReason, fault, busy } = observation;
  if (status === 'POWERED_ON' && vmReady) return { state: 'serving' };
  // KubeVirt may add statuses that we do not know; its condition Ready still counts.
  if (status === 'UNKNOWN' && faultReason === undefined && vmReady) return { state: 'serving' };
  if (dataVolume?.phase === 'Failed') return diskFailed(seen);
  if (faultReason !== undefined && fault !== undefined) {
    const isFailed = status === 'FAILED' && !neverFailures.has(faultReason);
    return {
      state: isFailed ? 'failed' : 'hindered',
      reason: reasonOf(faultReason),
      sentence: sentenceOf(faultReason, fault),
    };
  }
  if (status === 'FAILED') return { state: 'failed', reason: 'Failed', sentence: 'The virtual machine has failed.' };
  if (status === 'POWERED_OFF' && !busy) return { state: 'stopped' };
  return { state: status === 'SUSPENDED' ? 'paused' : 'underway' };
}

function diskFailed({ observation, dataVolume }: OrderObservation): MachineState {
  const { fault, faultReason } = observation ?? {};
  const importFault = faultReason === 'IMPORT_FAILED' ? fault : undefined;
  const sentence = importFault ?? `Its disk "${dataVolume?.name ?? ''}" could not be filled.`;
  return { state: 'failed', reason: 'ImportFailed', sentence: sentenceOf('IMPORT_FAILED', sentence) };
}

function reasonOf(fault: FaultReason): string {
  return reasons[fault] ?? 'Failed';
}

/** An order lives in a namespace; "virtual data center" is a term of the tenant API. */
function sentenceOf(reason: FaultReason, fault: string): string {
  const said = fault.replaceAll('virtual data center', 'namespace');
  const way = waysOut[reason];
  return way === undefined ? said : `${said} ${way}`;
}
