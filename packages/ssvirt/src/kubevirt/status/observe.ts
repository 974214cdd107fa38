/** Computes one observation of a VM from its current facts. */
import type { DataVolumeFacts } from '../facts/data-volume.ts';
import type { Disk } from '../facts/disks.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import { known } from '../facts/reading.ts';
import type { FaultReason } from './faults.ts';
import { diskVolumes } from './disk-fault.ts';
import { assess, type Assessment } from './assess.ts';
import type { DerivedVmStatus } from './vm-status.ts';
import { isOver, type TroubleWord } from './troubles.ts';

export interface ObservedVm {
  readonly vm: VmFacts;
  /** The instance of the VM's name, whatever owns it. */
  readonly vmi?: VmiFacts | undefined;
  /** DataVolumes to which the VM does not refer are ignored. */
  readonly dataVolumes: readonly DataVolumeFacts[];
}

export interface MachineObservation {
  readonly status: DerivedVmStatus;
  /** There is a trouble that is too young to be a failure. */
  readonly debouncing: boolean;
  /** The time until it becomes one: observe the VM again then. */
  readonly recheckAfterMs?: number;
  /** Pass it to `ageMs` the next time. A trouble that is no longer reported is over. */
  readonly trouble?: TroubleWord;
  readonly busy: boolean;
  readonly restartRequired: boolean;
  readonly faultReason?: FaultReason;
  readonly fault?: string;
  readonly cpuCount?: number;
  readonly memoryMb?: number;
  readonly guestOs?: string;
  readonly ipAddresses: readonly string[];
  readonly node?: string;
  readonly hostName?: string;
  readonly disks: readonly Disk[];
}

/** `ageMs` returns for how long that trouble has lasted: 0 if it is new. */
export function observeMachine(
  { vm, vmi, dataVolumes }: ObservedVm,
  ageMs: (trouble: TroubleWord) => number,
): MachineObservation {
  const isOwn = vmi !== undefined && vmi.vmUid === vm.uid;
  const own = isOwn ? vmi : undefined;
  const judgement = assess({
    vm,
    vmi: own,
    // An instance that has ended, or is being deleted, goes away by itself: it may be a predecessor's.
    nameTaken: vmi !== undefined && !isOwn && vmi.deleting !== true && !isOver(vmi),
    dataVolumes: diskVolumes(
      dataVolumes.filter(({ name }) => vm.dataVolumes.includes(name)),
      vm.disks ?? [],
    ),
  });
  return known<MachineObservation>({
    ...outcome(judgement, ageMs),
    busy: judgement.busy ?? false,
    restartRequired: vm.restartRequired ?? false,
    ...details(vm, own),
  });
}

type Outcome = Pick<MachineObservation, 'status' | 'debouncing'> & {
  readonly [K in 'recheckAfterMs' | 'trouble' | 'faultReason' | 'fault']: MachineObservation[K] | undefined;
};

function outcome({ status, trouble, fault: mild }: Assessment, ageMs: (trouble: TroubleWord) => number): Outcome {
  const fault = trouble?.fault ?? mild;
  const reported = { trouble: trouble?.word, faultReason: fault?.reason, fault: fault?.sentence };
  if (trouble?.patienceMs === undefined) return { status, debouncing: false, recheckAfterMs: undefined, ...reported };
  // A clock may go back: an age is never below 0.
  const left = trouble.patienceMs - Math.max(0, ageMs(trouble.word));
  return left > 0
    ? { status, debouncing: true, recheckAfterMs: left, ...reported }
    : { status: 'FAILED', debouncing: false, recheckAfterMs: undefined, ...reported };
}

type Details = Pick<MachineObservation, 'ipAddresses' | 'disks'> & {
  readonly [K in 'cpuCount' | 'memoryMb' | 'guestOs' | 'node' | 'hostName']: MachineObservation[K] | undefined;
};

/** A running instance has the real sizes and disks; an ended one has no address and no node any more. */
function details(vm: VmFacts, vmi: VmiFacts | undefined): Details {
  const live = vmi === undefined || isOver(vmi) ? undefined : vmi;
  return {
    cpuCount: live?.cpuCount ?? vm.cpuCount,
    memoryMb: live?.memoryMb ?? vm.memoryMb,
    guestOs: live?.guestOs ?? vm.os,
    ipAddresses: live?.ipAddresses ?? [],
    node: live?.node,
    hostName: live?.hostName ?? vm.hostName,
    disks: live?.disks ?? vm.disks ?? [],
  };
}
