/**
 * What may differ between a recording and a live run, and why. The recordings' README names what varied between three
 * runs of the same scenario on the real control plane ("What may differ between two runs") and the errors of the
 * recording; nothing else is allowed.
 */
import type { Identity } from '../identity.ts';
import { sameState, type State } from '../states.ts';

export interface Allowance {
  readonly name: string;
  readonly reason: string;
  /** Whether a state that only one side has may be missing, given its neighbors on that side. */
  readonly mayBeMissing: (state: State, around: Around) => boolean;
}

export interface Around {
  readonly identity: Identity;
  readonly scenario: string;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** Which side has it. */
  readonly side: 'recorded' | 'seen';
  /** What only the other side has at this place. */
  readonly beside: readonly State[];
  /** For a VM: whether its VMI had these conditions on both sides. */
  readonly mirrored: (conditions: string) => boolean;
}

const isVm = (identity: Identity): boolean => identity.startsWith('VirtualMachine ');
const notCreated = (state: State): boolean => state['created'] === undefined && state['deleting'] === undefined;
const noVmi = 'Ready=False/VMINotExists';
const noCondition = 'Ready=False/VMIConditionMissing';
const isStarting = (state: State, conditions: string): boolean =>
  state['status'] === 'Starting' && state['conditions'] === conditions;

export const allowances: readonly Allowance[] = [
  {
    name: 'bare-stopped',
    reason:
      'whether the snapshot-status writer or the VM controller writes the status of a new VM first varies: hence a bare Stopped, the default of the definition',
    mayBeMissing: (state, { identity, before }) =>
      isVm(identity) &&
      // Nothing is before it where the events came late, as in the recording of vm/switch-manual-always.
      Object.keys(before ?? {}).length === 0 &&
      state['status'] === 'Stopped' &&
      Object.keys(state).length === 1,
  },
  {
    name: 'not-exists-with-starting',
    reason:
      'whether Ready=False/VMINotExists is written with Stopped or already with Starting varies, and both are overtaken where the VMI is seen first',
    mayBeMissing: (state, { identity, after }) =>
      isVm(identity) &&
      notCreated(state) &&
      (state['conditions'] ?? '').includes(noVmi) &&
      !(state['conditions'] ?? '').includes('Failure') &&
      after !== undefined &&
      (after['created'] === undefined
        ? state['status'] === 'Stopped' && after['status'] === 'Starting' && sameBut(state, after, 'status')
        : state['status'] === 'Stopped' || state['status'] === after['status']),
  },
  {
    name: 'first-condition-seen-first',
    reason:
      'a VM says VMIConditionMissing while its VMI has none: where another controller writes the first one before the VM controller looks, it is overtaken, and Starting was shown without a VMI',
    mayBeMissing: (state, { identity, beside }) =>
      isVm(identity) &&
      (isStarting(state, noCondition) ? beside.some((other) => isStarting(other, noVmi)) : isStarting(state, noVmi)) &&
      [state, ...beside].some((one) => isStarting(one, noCondition)),
  },
  {
    name: 'mirrored-too-late',
    reason:
      'the VM mirrors conditions that another controller writes into the VMI: the order of the two writers varies, so that a state that the VMI went through on both sides may be overtaken before the VM has shown it',
    mayBeMissing: (state, { identity, before, after, mirrored }) =>
      isVm(identity) &&
      before !== undefined &&
      after !== undefined &&
      mirrored(state['conditions'] ?? '') &&
      isMixture(without(state, 'conditions'), without(before, 'conditions'), without(after, 'conditions')),
  },
  {
    name: 'pod-goes-in-two-writes',
    reason:
      'a pod that no node has, or that is removed at once, goes in two events, and whether the controller looks between them varies: vm/delete-scheduling shows PodTerminating, vm/stop-while-scheduling does not',
    mayBeMissing: (state, { before, after, beside }) =>
      (state['conditions'] ?? '').includes('Ready=False/PodTerminating') &&
      ((before !== undefined &&
        after !== undefined &&
        after['conditions'] === withReady(state, 'PodNotExists')['conditions'] &&
        isMixture(without(state, 'conditions'), without(before, 'conditions'), without(after, 'conditions'))) ||
        // The other side saw the state when the pod was gone; on this side that came with the last finalizer, which is
        // never seen.
        beside.some((other) => sameState(other, withReady(state, 'PodNotExists')))),
  },
  {
    name: 'not-running-then-terminating',
    reason:
      'whether the controller looks at a VMI that has ended before or after its pod is deleted varies: vm/guest-crash-rerunonfailure shows GuestNotRunning before PodTerminating, vm/guest-crash-always does not',
    mayBeMissing: (state, { before, after }) =>
      before !== undefined &&
      after !== undefined &&
      /\bReady=False\/GuestNotRunning/.test(state['conditions'] ?? '') &&
      (state['conditions'] ?? '').replace('GuestNotRunning', 'PodTerminating') === after['conditions'] &&
      isMixture(without(state, 'conditions'), without(before, 'conditions'), without(after, 'conditions')),
  },
  {
    name: 'last-finalizer',
    reason:
      'whether the VM controller or the VMI controller is the last to take its finalizer off a VMI varies: what is written with the last one is never seen, neither on the VMI nor on the VM that mirrors it',
    mayBeMissing: (state, { before, beside }) =>
      (state['conditions'] ?? '').includes('Ready=False/PodNotExists') &&
      [before, ...beside].some(
        (other) => other !== undefined && sameState(other, withReady(state, 'PodTerminating')),
      ) &&
      (state['phase'] === undefined ||
        (state['deleting'] !== undefined && /^(Succeeded|Failed)$/.test(state['phase']))),
  },
  {
    name: 'back-off-elapsed',
    reason:
      'whether the pause of a crash loop is over when its last VMI is gone is a matter of how long the agents took: step 6 of vm/crashloop-rerunonfailure goes from the VMI that fails to Starting, step 12 waits in CrashLoopBackOff',
    mayBeMissing: (state, { identity, before, after }) =>
      isVm(identity) &&
      notCreated(state) &&
      state['status'] === 'CrashLoopBackOff' &&
      state['conditions'] === noVmi &&
      before?.['status'] === 'CrashLoopBackOff' &&
      before['requests'] === state['requests'] &&
      after?.['status'] === 'Starting',
  },
  {
    name: 'written-in-two-steps',
    reason:
      'the order of writes by different controllers varies: two changes next to each other may come as one write, or in the other order; no value of a field is ever skipped by this',
    mayBeMissing: (state, { before, after }) =>
      before !== undefined && after !== undefined && isMixture(state, before, after),
  },
];

/** Each field is as in one of the neighbors. */
function isMixture(state: State, before: State, after: State): boolean {
  const fields = new Set([...Object.keys(state), ...Object.keys(before), ...Object.keys(after)]);
  return [...fields].every((field) => state[field] === before[field] || state[field] === after[field]);
}

function withReady(state: State, reason: string): State {
  const conditions = (state['conditions'] ?? '').replace(/\bReady=False\/\w+/, `Ready=False/${reason}`);
  return { ...state, conditions };
}

function without(state: State, field: string): State {
  return Object.fromEntries(Object.entries(state).filter(([name]) => name !== field));
}

function sameBut(a: State, b: State, ...but: string[]): boolean {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...fields].every((field) => but.includes(field) || a[field] === b[field]);
}

const withDisk = 'DataVolumesReady=True/AllDVsReady LiveMigratable=True';
const collected =
  'the garbage collector, which held the object at this time, is another writer: it may let go before the state is written';

/** Errors of a recording: states that its watcher missed, or had only because another writer was slow. */
export interface Slip {
  readonly scenario: string;
  readonly identity: Identity;
  readonly state: State;
  readonly side: 'recorded' | 'seen';
  readonly reason: string;
}

const emptied =
  'the namespace controller looks again some time after the last pod is gone, and is another writer: it may delete the VM before KubeVirt has done with the VMI';
const migratable = 'LiveMigratable=True';

const cutShort = 'the recording ends with the creation of the pod: what follows from it is not there';

export const slips: readonly Slip[] = [
  {
    scenario: 'instancetype/deleted-before-start',
    identity: 'VirtualMachineInstance vm1 #1',
    state: { phase: 'Scheduling', conditions: 'Ready=False/GuestNotRunning' },
    side: 'seen',
    reason: cutShort,
  },
  {
    scenario: 'instancetype/deleted-before-start',
    identity: 'VirtualMachine vm1 #1',
    state: { status: 'Starting', created: 'yes', conditions: 'Ready=False/GuestNotRunning' },
    side: 'seen',
    reason: cutShort,
  },
  {
    scenario: 'vm/switch-manual-always',
    identity: 'VirtualMachine vm1 #1',
    state: {},
    side: 'seen',
    reason: 'step 1: the events came late, and the first of them is not there',
  },
  {
    scenario: 'vm/crashloop-rerunonfailure',
    identity: 'Pod virt-launcher-vm1-* #2',
    state: { phase: 'Running' },
    side: 'seen',
    reason: 'step 9: the events came late, so that the pod is Running only together with its deletion',
  },
  {
    scenario: 'vm/crashloop-rerunonfailure',
    identity: 'VirtualMachineInstance vm1 #2',
    state: { phase: 'Scheduled', conditions: 'Ready=False/GuestNotRunning' },
    side: 'seen',
    reason: 'step 9: the events came late, so that the VMI is Scheduled only together with its failure',
  },
  {
    scenario: 'vm/startfail-manual',
    identity: 'VirtualMachineInstance vm1 #1',
    state: { phase: 'Scheduled', conditions: 'Ready=False/GuestNotRunning' },
    side: 'seen',
    reason:
      'step 4: as in step 9 of vm/crashloop-rerunonfailure, the hand-over is seen only together with the failure of step 5',
  },
  {
    scenario: 'vm/delete-running-foreground',
    identity: 'VirtualMachineInstance vm1 #1',
    state: {
      deleting: 'yes',
      phase: 'Succeeded',
      conditions: `${withDisk} Ready=False/PodNotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: collected,
  },
  {
    scenario: 'vm/delete-running-foreground',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Terminating',
      created: 'yes',
      conditions: `${withDisk} Ready=False/PodNotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: collected,
  },
  {
    scenario: 'vm/delete-running-foreground',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Terminating',
      conditions: `${withDisk} Ready=False/VMINotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: collected,
  },
  {
    scenario: 'vm/delete-running-orphan',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Terminating',
      created: 'yes',
      ready: 'yes',
      conditions: `${withDisk} Ready=True StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: collected,
  },
  {
    scenario: 'vm/delete-running-orphan',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Terminating',
      conditions: `${withDisk} Ready=False/VMINotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: collected,
  },
  {
    scenario: 'vm/namespace-delete',
    identity: 'VirtualMachine vm1 #1',
    state: {
      status: 'Stopped',
      conditions: `Failure=True/FailedCreate ${migratable} Ready=False/VMINotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: emptied,
  },
  {
    scenario: 'vm/namespace-delete',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Stopped',
      conditions: `Failure=True/FailedCreate ${migratable} Ready=False/VMINotExists StorageLiveMigratable=True`,
    },
    side: 'recorded',
    reason: emptied,
  },
  {
    scenario: 'vm/namespace-delete',
    identity: 'VirtualMachine vm1 #1',
    state: {
      deleting: 'yes',
      status: 'Stopped',
      created: 'yes',
      conditions: `${migratable} Ready=False/PodTerminating StorageLiveMigratable=True`,
    },
    side: 'seen',
    reason: emptied,
  },
];

/** Events that one of two writers sends, depending on which is first. */
export interface EventSlip {
  readonly scenario: string;
  readonly event: string;
  readonly reason: string;
}

export const eventSlips: readonly EventSlip[] = [
  {
    scenario: 'instancetype/deleted-before-start',
    event: 'VirtualMachineInstance vm1: Normal SuccessfulCreate Created virtual machine pod virt-launcher-vm1-*',
    reason: cutShort,
  },
  {
    scenario: 'vm/delete-running-foreground',
    event:
      'VirtualMachine vm1: Normal SuccessfulDelete Stopped the virtual machine by deleting the virtual machine instance *',
    reason:
      'whether the VM controller or the garbage collector deletes the VMI of a VM that goes in the foreground varies',
  },
  {
    scenario: 'vm/delete-running-foreground',
    event: 'VirtualMachineInstance vm1: Normal SuccessfulDelete Deleted virtual machine pod virt-launcher-vm1-*',
    reason:
      'whether the VMI controller or the garbage collector deletes the pod of a VM that goes in the foreground varies',
  },
];
