/**
 * The steps from state to state that KubeVirt has: the recorded steps of the real one, and steps that follow from its
 * rules without a recording. `-` is an object without a status; `new` and `gone` are the ends of its life. A step in
 * the opposite direction is a separate step.
 */
import type { TracedKind } from './recorded-transitions.ts';

/** As `recordedTransitions` finds them; a test compares the two if the recordings are available. */
export const recorded: Readonly<Record<TracedKind, readonly string[]>> = {
  VirtualMachine: [
    '- > Stopped',
    'CrashLoopBackOff > Starting',
    'DataVolumeError > Provisioning',
    'ErrImagePull > ImagePullBackOff',
    'ErrImagePull > Starting',
    'ErrorPvcNotFound > ErrorUnschedulable',
    'ErrorUnschedulable > Starting',
    'ErrorUnschedulable > WaitingForVolumeBinding',
    'ImagePullBackOff > ErrImagePull',
    'Migrating > Running',
    'Paused > Running',
    'Paused > Stopping',
    'Provisioning > DataVolumeError',
    'Provisioning > Starting',
    'Provisioning > Stopped',
    'Provisioning > WaitingForVolumeBinding',
    'Provisioning > gone',
    'Running > Migrating',
    'Running > Paused',
    'Running > Starting',
    'Running > Stopped',
    'Running > Stopping',
    'Running > Terminating',
    'Starting > CrashLoopBackOff',
    'Starting > ErrImagePull',
    'Starting > ErrorPvcNotFound',
    'Starting > ErrorUnschedulable',
    'Starting > Running',
    'Starting > Stopped',
    'Starting > Stopping',
    'Starting > Terminating',
    'Stopped > Provisioning',
    'Stopped > Running',
    'Stopped > Starting',
    'Stopped > gone',
    'Stopping > CrashLoopBackOff',
    'Stopping > Stopped',
    'Terminating > gone',
    'WaitingForVolumeBinding > ErrorUnschedulable',
    'WaitingForVolumeBinding > Provisioning',
    'new > -',
    'new > Stopped',
  ],
  VirtualMachineInstance: [
    'Failed > gone',
    'Pending > Scheduling',
    'Running > Failed',
    'Running > Succeeded',
    'Scheduled > Failed',
    'Scheduled > Running',
    'Scheduling > Failed',
    'Scheduling > Scheduled',
    'Succeeded > gone',
    'new > Pending',
  ],
  DataVolume: [
    '- > ImportInProgress',
    '- > ImportScheduled',
    '- > Pending',
    '- > PendingPopulation',
    '- > Succeeded',
    '- > WaitForFirstConsumer',
    'ImportInProgress > ImportScheduled',
    'ImportInProgress > Succeeded',
    'ImportInProgress > gone',
    'ImportScheduled > ImportInProgress',
    'PVCBound > ImportScheduled',
    'Pending > PVCBound',
    'PendingPopulation > ImportScheduled',
    'Succeeded > gone',
    'WaitForFirstConsumer > ImportScheduled',
    'new > -',
  ],
  Pod: [
    'Failed > gone',
    'Pending > Failed',
    'Pending > Running',
    'Pending > gone',
    'Running > Failed',
    'Running > Succeeded',
    'Running > gone',
    'Succeeded > gone',
    'new > Pending',
  ],
};

/**
 * Recorded, but possible only if a user writes a status by hand (`vmi/status-write-by-user`, which moves a VMI back) or
 * leaves orphans for a new VM to adopt (`vm/delete-running-orphan`).
 */
const byHand: readonly string[] = ['Running > Starting', 'Stopped > Running'];

/** kubevirt.md, 1.3: what a VM shows while its VMI starts. */
const comingUp = [
  'Starting',
  'ErrorPvcNotFound',
  'ErrorUnschedulable',
  'WaitingForVolumeBinding',
  'ErrImagePull',
  'ImagePullBackOff',
  'Provisioning',
  'DataVolumeError',
];
/**
 * 1.3, 6 to 12: these take precedence over Starting and Stopped, and hold for a VMI that has ended as long as its
 * conditions or the disks say so.
 */
const troubles = comingUp.filter((word) => word !== 'Starting');
/** 1.3, 7, 9, 10: the disks alone cause these, with or without a VMI. */
const disks = ['Provisioning', 'DataVolumeError', 'WaitingForVolumeBinding'];
const up = ['Running', 'Paused', 'Migrating'];
const down = ['Stopped', 'CrashLoopBackOff'];

interface Rule {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly why: string;
}

const vmRules: readonly Rule[] = [
  {
    from: ['-', ...comingUp, ...up, ...down, 'Stopping'],
    to: ['Terminating'],
    why: '1.3, 1: a VM that is being deleted shows nothing else',
  },
  {
    from: ['-', ...disks, ...down],
    to: ['gone'],
    why: '4.6: without a VMI the finalizer goes with the first look, before a status is written (as vm/delete-halted)',
  },
  { from: ['-'], to: [...disks, 'Starting'], why: '1.3: the first status is written after the first look' },
  {
    from: ['new'],
    to: ['Provisioning', 'Starting'],
    why: 'vm/switch-manual-always: what is first seen late has a status already',
  },
  {
    from: comingUp,
    to: comingUp,
    why: '1.3, traps c and d, and surprise 5: pods, claims and imports change in any order while a VMI waits',
  },
  {
    from: disks,
    to: ['Running'],
    why: '1.3, 5 before 9 before 13: a DataVolume that was deleted while the guest boots hides Starting',
  },
  { from: [...comingUp, ...up], to: ['Stopping'], why: '1.3, 2: a VMI that lives is deleted' },
  { from: comingUp, to: down, why: '4.5: a VMI ended that never ran; or its disks, and no VMI, were what was shown' },
  { from: down, to: [...disks], why: '4.2: disks are made and filled whatever the run strategy is' },
  {
    from: down,
    to: [...comingUp, 'Stopping'],
    why: '4.2 to 4.5: a VMI is made; where the VM changed at that moment, the next look writes what became of it',
  },
  {
    from: ['CrashLoopBackOff'],
    to: ['Stopped'],
    why: '4.5: the count goes when the strategy leaves those that restart',
  },
  {
    from: ['Stopped'],
    to: ['CrashLoopBackOff'],
    why: '1.3, 14: a VMI that ended without having run counts under the strategy that the VM has now',
  },
  {
    from: ['Stopping', ...up],
    to: [...troubles],
    why: 'surprise 5: the VMI has ended, and what it or its disks say comes before Stopped',
  },
  { from: up, to: ['Stopped'], why: '4.3, 4.5: the guest ended, or its pod was lost' },
  { from: ['Migrating'], to: ['Paused'], why: '1.3, 3 and 4: a paused guest moves too' },
  { from: ['Paused'], to: ['Migrating'], why: '1.3, 3 and 4' },
  {
    from: ['Stopping'],
    to: ['Migrating'],
    why: '1.3, 2 and 3: a VMI that ended while it moved is migrating as long as its state says so',
  },
];

const documented: Readonly<Record<TracedKind, readonly Rule[]>> = {
  VirtualMachine: vmRules,
  VirtualMachineInstance: [
    { from: ['Pending'], to: ['Failed'], why: '2.1: deleted before there was a pod, or its DataVolume failed' },
  ],
  DataVolume: [
    { from: ['new'], to: ['Pending'], why: '5.2: seen late' },
    { from: ['-', 'Pending'], to: ['PendingPopulation', 'ImportScheduled'], why: '4.2, table, populator flow' },
    { from: ['PendingPopulation'], to: ['Pending', 'ImportScheduled'], why: '4.2: a consumer came' },
    { from: ['ImportScheduled', 'ImportInProgress'], to: ['ImportScheduled', 'ImportInProgress'], why: '5.2: retries' },
    { from: ['ImportScheduled'], to: ['Succeeded'], why: '5.2: an importer that is done before it was seen to run' },
    {
      from: ['-', 'Pending', 'PendingPopulation', 'PVCBound', 'ImportScheduled', 'ImportInProgress', 'Succeeded'],
      to: ['gone'],
      why: '4.6: a DataVolume has no finalizer',
    },
  ],
  Pod: [],
};

function spread({ from, to }: Rule): readonly string[] {
  return from.flatMap((a) => to.filter((b) => b !== a).map((b) => `${a} > ${b}`));
}

/** The steps that may be seen if no user writes a status by hand. */
export function allowedSteps(kind: TracedKind): ReadonlySet<string> {
  const known = recorded[kind].filter((step) => kind !== 'VirtualMachine' || !byHand.includes(step));
  return new Set([...known, ...documented[kind].flatMap(spread)]);
}

/** The statuses that were recorded for a VM while `ready`, and while not `created`. */
export const recordedReady: readonly string[] = [
  'Migrating',
  'Paused',
  'Running',
  'Stopped',
  'Stopping',
  'Terminating',
];
export const recordedUncreated: readonly string[] = [
  '-',
  'CrashLoopBackOff',
  'DataVolumeError',
  'Provisioning',
  'Starting',
  'Stopped',
  'Terminating',
];
