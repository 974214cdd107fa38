/**
 * Translates KubeVirt's status to ours. The VirtualMachine's printableStatus leads: KubeVirt computes it from the same
 * instance and DataVolumes, and a single source cannot contradict itself, whereas events of our three watches arrive in
 * any order. So a VM with the status Starting whose instance already runs is POWERING_ON until KubeVirt writes Running,
 * a moment later. The instance decides only if KubeVirt has not written a status yet; otherwise it provides the reason.
 */
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import type { DiskVolume } from './disk-fault.ts';
import { fault, quoted, type Fault } from './faults.ts';
import type { DerivedVmStatus } from './vm-status.ts';
import { refusal } from './refusal.ts';
import * as troubles from './troubles.ts';
import type { Trouble } from './troubles.ts';
import { desiredState, type DesiredState } from './desired.ts';

export interface Assessment {
  /** The status as long as a trouble is not a failure. */
  readonly status: DerivedVmStatus;
  readonly trouble?: Trouble | undefined;
  /** A fault that does not become a failure. */
  readonly fault?: Fault | undefined;
  /** A disk is being filled although the VM is not meant to run. */
  readonly busy?: boolean;
}

export interface Case {
  readonly vm: VmFacts;
  /** The VM's own instance. */
  readonly vmi: VmiFacts | undefined;
  /** There is an instance of its name that is not its own. */
  readonly nameTaken: boolean;
  /** Only those that the VM refers to. */
  readonly dataVolumes: readonly DiskVolume[];
}

export function assess(one: Case): Assessment {
  const { vm, vmi, dataVolumes } = one;
  const { printableStatus = '' } = vm;
  if (vm.deleting === true || printableStatus === 'Terminating') return { status: 'DELETING' };
  const wanted = desiredState(vm, vmi);
  switch (printableStatus) {
    case '':
      return vmi === undefined ? { status: resting(wanted) } : byInstance(vmi, wanted);
    case 'Stopped':
      return stopped(one, wanted);
    case 'Provisioning':
      return {
        status: resting(wanted),
        busy: wanted === 'off',
        trouble:
          troubles.refusedStart(vm, vmi, dataVolumes, wanted) ??
          troubles.diskRefused(dataVolumes) ??
          troubles.diskRetry(dataVolumes),
      };
    case 'DataVolumeError':
      // Also for a VM that is meant to be off: it has no disk to start from.
      return { status: resting(wanted), busy: wanted === 'off', trouble: troubles.diskError(dataVolumes) };
    case 'Stopping':
      return { status: 'POWERING_OFF' };
    case 'CrashLoopBackOff':
      return crashing(vm, wanted);
    case 'Unknown':
      return { status: 'UNKNOWN', fault: lostNode(vmi) };
    default:
      // The VM is no longer meant to run, but still does: KubeVirt will report Stopping, or Stopped, in a moment.
      return wanted === 'off' && isThere(printableStatus) ? { status: 'POWERING_OFF' } : present(one, printableStatus);
  }
}

/** For a VM that has an instance, or is about to get one. */
function present({ vm, vmi, dataVolumes }: Case, printableStatus: string): Assessment {
  switch (printableStatus) {
    case 'Running':
    case 'Migrating':
      // A disk that was added to it may be missing.
      return {
        status: 'POWERED_ON',
        fault: lostNode(vmi) ?? failedChange(vm) ?? troubles.diskRefused(dataVolumes)?.fault,
      };
    case 'Paused':
      return { status: 'SUSPENDED', fault: pauseFault(vmi) ?? lostNode(vmi) };
    case 'Starting':
    case 'WaitingForVolumeBinding':
      return {
        status: 'POWERING_ON',
        trouble:
          troubles.refusedStart(vm, vmi, dataVolumes, 'on') ??
          troubles.diskRefused(dataVolumes) ??
          troubles.crashRetry(vm),
      };
    case 'WaitingForReceiver':
      return { status: 'POWERING_ON' };
    case 'ErrorPvcNotFound':
      return { status: 'POWERING_ON', trouble: troubles.pvcNotFound(vm, vmi, dataVolumes) };
    case 'ErrorUnschedulable':
      return {
        status: 'POWERING_ON',
        trouble: troubles.diskRefused(dataVolumes) ?? troubles.unschedulable(vm, vmi, dataVolumes),
      };
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return { status: 'POWERING_ON', trouble: troubles.imagePull(vmi, printableStatus === 'ImagePullBackOff') };
    default:
      return { status: 'UNKNOWN' };
  }
}

const thereStatuses = new Set([
  'Running',
  'Migrating',
  'Paused',
  'Starting',
  'WaitingForVolumeBinding',
  'WaitingForReceiver',
  'ErrorPvcNotFound',
  'ErrorUnschedulable',
  'ErrImagePull',
  'ImagePullBackOff',
]);

function isThere(printableStatus: string): boolean {
  return thereStatuses.has(printableStatus);
}

function resting(wanted: DesiredState): DerivedVmStatus {
  return wanted === 'on' ? 'POWERING_ON' : 'POWERED_OFF';
}

/**
 * With RerunOnFailure, this includes a VM that was stopped before it ever ran. Only a request will start it, and the
 * request resets the failures.
 */
function crashing(vm: VmFacts, wanted: DesiredState): Assessment {
  if (wanted === 'off') return { status: 'POWERED_OFF' };
  const isAskedFor = vm.requests?.[0] === 'Start' && vm.startFailure === undefined;
  return { status: 'POWERING_ON', trouble: isAskedFor ? undefined : troubles.crashLoop(vm) };
}

/** A VM that is meant to run is Stopped before a start, or within a restart. */
function stopped({ vm, vmi, nameTaken, dataVolumes }: Case, wanted: DesiredState): Assessment {
  const trouble = troubles.refusedStart(vm, vmi, dataVolumes, wanted) ?? troubles.diskRefused(dataVolumes);
  if (wanted === 'on')
    return { status: 'POWERING_ON', trouble: trouble ?? (nameTaken ? troubles.nameTaken() : undefined) };
  const refused = vm.failure === undefined ? undefined : refusal(vm.failure);
  return { status: 'POWERED_OFF', trouble, fault: refused ?? ending(vmi) };
}

/** An instance that is being deleted was stopped on request; a guest that does not obey then ends as Failed, too. */
function ending(vmi: VmiFacts | undefined): Fault | undefined {
  if (vmi?.phase !== 'Failed' || vmi.deleting === true) return undefined;
  return vmi.ran === true
    ? fault('CRASHED', 'It has ended with an error, and is not restarted by itself: start it again.')
    : fault('START_FAILED', 'Its last start has failed: start it again.');
}

/** KubeVirt has not written a status yet, but the VM has adopted an instance. */
function byInstance(vmi: VmiFacts, wanted: DesiredState): Assessment {
  if (vmi.deleting === true && !troubles.isOver(vmi)) return { status: 'POWERING_OFF' };
  switch (vmi.phase ?? '') {
    case 'Running':
      if (wanted === 'off') return { status: 'POWERING_OFF' };
      return vmi.paused === undefined
        ? { status: 'POWERED_ON', fault: lostNode(vmi) }
        : { status: 'SUSPENDED', fault: pauseFault(vmi) };
    case 'Succeeded':
    case 'Failed':
      return { status: resting(wanted), fault: wanted === 'off' ? ending(vmi) : undefined };
    case 'Unknown':
      return { status: 'UNKNOWN', fault: lostNode(vmi) };
    default:
      return { status: wanted === 'on' ? 'POWERING_ON' : 'POWERING_OFF' };
  }
}

function pauseFault(vmi: VmiFacts | undefined): Fault | undefined {
  if (vmi?.paused?.reason !== 'PausedIOError') return undefined;
  return fault(
    'IO_ERROR',
    'It is paused because its storage reports errors: ask an administrator whether the storage is full or broken, then resume it.',
  );
}

/** The node controller sets Ready to False without a reason; all others give one. */
function lostNode(vmi: VmiFacts | undefined): Fault | undefined {
  if (vmi === undefined) return undefined;
  const silent = vmi.phase === 'Running' && vmi.notReady !== undefined && vmi.notReady.reason === undefined;
  if (!silent && vmi.phase !== 'Unknown' && vmi.reason !== 'NodeUnresponsive') return undefined;
  const on = vmi.node === undefined ? 'it runs on' : `"${vmi.node}" that it runs on`;
  return fault(
    'NODE_LOST',
    `The node ${on} does not answer: its state is not known until the node is back or an administrator removes it.`,
  );
}

function failedChange({ failure }: VmFacts): Fault | undefined {
  if (failure === undefined) return undefined;
  const { reason, sentence } = refusal(failure);
  const why = reason === 'REFUSED' ? (failure.message ?? failure.reason ?? '') : sentence;
  return fault('CHANGE_FAILED', `It runs, but the last change of it could not be applied: ${quoted(why)}.`);
}
