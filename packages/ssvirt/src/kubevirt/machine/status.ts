/**
 * Computes the status of a Machine. `Ready` is True only while the Machine is as declared: declared as running and its
 * instance runs, or declared as stopped and stopped. A guest that shut itself down therefore makes `Ready` False
 * although nothing is broken: whoever waits for the Machine must see it. A change that needs a restart does not: the VM
 * serves, and `RestartRequired` is True. The conditions of the parts have the reasons of the reference; `Ready` has the
 * precise reason.
 */
import { known } from '../facts/reading.ts';
import type { VmFacts } from '../facts/vm.ts';
import type { VmiFacts } from '../facts/vmi.ts';
import type { MachineObservation } from '../status/observe.ts';
import { describeDisk, describeEnd, isReady, isWaitingForStart, type DiskState } from './disk-state.ts';
import { vmName } from './names.ts';
import { changedNetworks } from './network-settings.ts';
import type { ResolvedNetwork } from './networks.ts';
import { isRefusal, partOf, phaseOfProblem, type PlacedProblem } from './problem-part.ts';
import { annotations, conditions, restartRequested, type MachineFacts, type MachinePhase } from './resource.ts';
import { isOver } from '../status/troubles.ts';
import { reasonOfFault, sentenceOf } from './trouble-words.ts';

export interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export interface MachineView {
  readonly name: string;
  /** As declared. */
  readonly running: boolean;
  readonly kubevirtConfigRef?: string;
  /** The cluster that the annotation names. */
  readonly annotated?: string;
  /** The current phase in its status: it stays if nothing is known. */
  readonly phase?: MachinePhase;
  /** Absent if there is none, or none that is ours. */
  readonly vm?: VmFacts;
  readonly vmi?: VmiFacts;
  /** Present if `vm` is. */
  readonly observation?: MachineObservation;
  readonly disks: readonly DiskState[];
  /** Absent if they are unknown. */
  readonly networks?: readonly ResolvedNetwork[];
  /** The annotation of the instance with the settings of its networks. */
  readonly startedWith?: string;
  /** The annotation that asks for a restart: of the Machine, and of the instance. */
  readonly restart?: string;
  readonly restarted?: string;
  /** What could not be done as declared. */
  readonly problem?: PlacedProblem;
}

export interface MachineReport {
  /** Without lastUpdated, which the writer of the status sets. Absent fields must be removed from the status. */
  readonly facts: MachineFacts;
  /** All our conditions; those of ours that are not listed must be removed. */
  readonly findings: readonly Finding[];
}

export function machineStatus(view: MachineView): MachineReport {
  return {
    facts: factsOf(view),
    findings: [
      readyOf(view),
      virtualMachineReady(view),
      storageReady(view),
      ...networkReady(view),
      ...restartRequired(view),
      ...placementDiffers(view),
    ],
  };
}

function factsOf(view: MachineView): MachineFacts {
  const { name, vm, vmi, observation, kubevirtConfigRef } = view;
  const hasInstance = vm !== undefined && vmi !== undefined && vmi.vmUid === vm.uid;
  const ipAddresses =
    observation === undefined || observation.ipAddresses.length === 0 ? undefined : observation.ipAddresses;
  return known<MachineFacts>({
    phase: phaseOf(view),
    vmName: vm === undefined ? undefined : vmName(name),
    vmiName: hasInstance ? vmName(name) : undefined,
    ipAddresses,
    addresses: ipAddresses?.join(', '),
    nodeName: observation?.node,
    kubevirtConfigRef,
    lastUpdated: undefined,
  });
}

function phaseOf({ observation, problem, phase, running }: MachineView): MachinePhase {
  if (observation === undefined) return problem === undefined ? 'Creating' : phaseOfProblem(problem);
  switch (observation.status) {
    case 'POWERED_ON':
    case 'SUSPENDED':
    case 'POWERING_OFF':
      return 'Running';
    case 'POWERED_OFF':
      return observation.busy && !running ? 'Creating' : 'Stopped';
    case 'POWERING_ON':
    case 'DELETING':
      return 'Creating';
    case 'FAILED':
      return 'Failed';
    case 'UNKNOWN':
      return phase ?? 'Creating';
  }
}

type Saying = Omit<Finding, 'type'>;

const no = (reason: string, message: string): Saying => ({ status: 'False', reason, message });
const yes = (reason: string, message: string): Saying => ({ status: 'True', reason, message });

function readyOf(view: MachineView): Finding {
  return { type: conditions.ready, ...readiness(view) };
}

function readiness({ problem, vm, observation, running, disks }: MachineView): Saying {
  if (problem !== undefined) return no(problem.reason, problem.message);
  if (vm === undefined || observation === undefined) return no('Creating', 'The virtual machine is being created.');
  const { status, faultReason } = observation;
  if (status === 'UNKNOWN') {
    const reason = faultReason === undefined ? 'StateUnknown' : reasonOfFault(faultReason);
    return { status: 'Unknown', reason, message: sentenceOf(observation) ?? 'KubeVirt reports no status.' };
  }
  const isAsDeclared = running ? status === 'POWERED_ON' : status === 'POWERED_OFF';
  const hindrance = faultReason === undefined || (isAsDeclared && !running) ? undefined : sentenceOf(observation);
  if (hindrance !== undefined && faultReason !== undefined) return no(reasonOfFault(faultReason), hindrance);
  return running ? readinessToRun(observation, vm, disks) : readinessToRest(observation, disks);
}

function readinessToRun({ status }: MachineObservation, { runStrategy }: VmFacts, disks: readonly DiskState[]): Saying {
  switch (status) {
    case 'POWERED_ON': {
      const ends = disks.flatMap(describeEnd);
      return ends.length === 0 ? yes('Running', 'The virtual machine runs.') : no('ClaimDeleted', ends.join(' '));
    }
    case 'SUSPENDED':
      return no('Paused', 'The virtual machine is paused: resume it, for example with "virtctl unpause vm".');
    case 'POWERED_OFF':
      // Under another strategy we are still starting it; the guest did not stop itself.
      return runStrategy === 'RerunOnFailure'
        ? no(
            'GuestStopped',
            'The guest shut itself down, or was stopped from outside: it stays off until the spec of the Machine changes or it is started, for example with "virtctl start".',
          )
        : no('Starting', 'The virtual machine is being started.');
    case 'POWERING_OFF':
      return no('Stopping', 'The virtual machine is being stopped, though it is declared as running.');
    case 'DELETING':
      return no('Replacing', 'The virtual machine is being deleted from outside: it is created again when it is gone.');
    default:
      return no('Starting', ['The virtual machine is being started.', ...unready(disks).map(describeDisk)].join(' '));
  }
}

function readinessToRest({ status, busy }: MachineObservation, disks: readonly DiskState[]): Saying {
  const left = unready(disks).filter((disk) => !isWaitingForStart(disk));
  switch (status) {
    case 'POWERED_OFF':
      if (!busy && left.length === 0) return yes('Stopped', 'The virtual machine is stopped, as declared.');
      return no('PVCPending', left.length === 0 ? 'Its disks are being filled.' : left.map(describeDisk).join(' '));
    case 'DELETING':
      return no('Replacing', 'The virtual machine is being deleted from outside: it is created again when it is gone.');
    default:
      return no('Stopping', 'The virtual machine is being stopped.');
  }
}

function virtualMachineReady({ vm, observation, problem }: MachineView): Finding {
  const type = conditions.virtualMachineReady;
  const isMissing = vm === undefined || observation === undefined;
  if (problem !== undefined && partOf(problem) === 'machine' && (isMissing || isRefusal(problem)))
    return { type, ...no('VMFailed', problem.message) };
  if (isMissing) return { type, ...no('VMPending', 'The virtual machine does not exist yet.') };
  if (observation.status === 'FAILED')
    return { type, ...no('VMFailed', sentenceOf(observation) ?? 'The virtual machine has failed.') };
  return observation.status === 'DELETING'
    ? { type, ...no('VMPending', 'The virtual machine is being deleted from outside.') }
    : { type, ...yes('VMCreated', 'The virtual machine exists.') };
}

/** KubeVirt describes a disk that cannot be filled; other sentences derive from the disks' state. */
function storageReady({ disks, observation, problem }: MachineView): Finding {
  const type = conditions.storageReady;
  if (problem !== undefined && partOf(problem) === 'storage') return { type, ...no('PVCPending', problem.message) };
  // If the spec is invalid, its disks are unknown.
  if (problem !== undefined && disks.length === 0)
    return { type, status: 'Unknown', reason: 'PVCPending', message: problem.message };
  const left = unready(disks);
  if (left.length === 0) {
    const many = disks.length === 1 ? 'Its disk is' : `All ${disks.length} disks are`;
    const there = disks.length === 0 ? 'It has no disks.' : `${many} there.`;
    return { type, ...yes('PVCBound', [there, ...disks.flatMap(describeEnd)].join(' ')) };
  }
  const sentence = observation !== undefined && isAboutDisks(observation) ? sentenceOf(observation) : undefined;
  return { type, ...no('PVCPending', sentence ?? left.map(describeDisk).join(' ')) };
}

function isAboutDisks({ faultReason }: MachineObservation): boolean {
  return faultReason !== undefined && reasonOfFault(faultReason) === 'PVCPending';
}

function networkReady({ networks, problem }: MachineView): readonly Finding[] {
  const type = conditions.networkReady;
  if (problem !== undefined && partOf(problem) === 'network')
    return [{ type, ...no('NetworkFailed', problem.message) }];
  if (networks === undefined) return [];
  if (networks.length === 0)
    return [{ type, ...yes('NetworkConfigured', 'The virtual machine keeps its existing networks.') }];
  const names = networks.map(({ name, networkName }) =>
    networkName === undefined ? `"${name}" is the pod network` : `"${name}" is on "${networkName}"`,
  );
  return [{ type, ...yes('NetworkConfigured', `The network ${names.join(', ')}.`) }];
}

function restartRequired(view: MachineView): readonly Finding[] {
  const { observation, running, vmi, networks = [], startedWith, restart, restarted } = view;
  if (!running) return [];
  if (restart !== undefined && vmi !== undefined && !isOver(vmi) && restart !== restarted) {
    const message = `A restart was requested: ${annotations.restart} is "${restart}". It ends with a new instance of the virtual machine.`;
    return [{ type: conditions.restartRequired, ...yes(restartRequested, message) }];
  }
  const changed = vmi === undefined ? [] : changedNetworks(networks, startedWith);
  if (observation?.restartRequired !== true && changed.length === 0) return [];
  const what =
    changed.length === 0
      ? 'The virtual machine runs with older settings'
      : `The virtual machine runs with older settings of ${changed.map((name) => `NetworkConfiguration "${name}"`).join(', ')}`;
  const message = `${what}: the change takes effect when it is restarted. To restart it, set the annotation ${annotations.restart} of the Machine to a new value, such as the time.`;
  return [{ type: conditions.restartRequired, ...yes('RestartRequired', message) }];
}

/**
 * The annotation is left as it is: a GitOps tool would write it again. Without the annotation nothing differs.
 */
export function placementDiffers({
  annotated,
  kubevirtConfigRef: at,
}: Pick<MachineView, 'annotated' | 'kubevirtConfigRef'>): readonly Finding[] {
  if (annotated === undefined || at === undefined || annotated === at) return [];
  const message =
    `The annotation ${annotations.kubevirtConfig} is "${annotated}", but the Machine is placed on "${at}" and never moves. ` +
    `Set the annotation to "${at}": if the status of the Machine is lost, for example by a restore, the annotation decides. To run it on "${annotated}", create a new Machine.`;
  return [{ type: conditions.placementDiffers, ...yes('AnnotationDiffers', message) }];
}

function unready(disks: readonly DiskState[]): readonly DiskState[] {
  return disks.filter((disk) => !isReady(disk));
}
