/**
 * Each fault, and what the real KubeVirt shows for it. States have the form of the recordings' states, so that the
 * recordings can confirm them. A lost node is in nodes.test.ts: it would take the guests of the other cases with it.
 */
import type { DialFault } from '../../packages/sandbox/src/simulators/dials.ts';

export type Trouble = DialFault | 'missing-claim' | 'quota';

/** The VM that has the trouble. */
export interface Scene {
  /** Has a disk that is imported. */
  readonly disk?: true;
  /** Has a volume of a claim named `data`, which waits for its consumer. */
  readonly claim?: 'there' | 'missing';
  readonly quota?: Readonly<Record<string, string>>;
  /** What is requested of the VM when it runs. */
  readonly asked?: 'stop' | 'migrate';
}

export interface FaultCase {
  readonly name: string;
  readonly trouble: Trouble;
  readonly scene: Scene;
  /** The recording that contains the states and events. */
  readonly recording?: string;
  /** `kind state`; all of them must be seen. */
  readonly states: readonly string[];
  /** `kind type reason: message`. */
  readonly events: readonly RegExp[];
  /**
   * What recordings cannot show, since CDI and nodes were played in them: `DataVolume condition=status/reason`, from
   * kubevirt.md.
   */
  readonly said?: readonly string[];
  /** States that must not be seen while the trouble lasts. */
  readonly never?: RegExp;
  /** The state after the fault is lifted; `Running … ready` by default. */
  readonly healed?: RegExp;
}

const waiting = 'Ready=False/GuestNotRunning';
const migratable = 'LiveMigratable=True Ready=True StorageLiveMigratable=True';

export const faultCases: readonly FaultCase[] = [
  {
    name: 'no node fits',
    trouble: 'unschedulable',
    scene: {},
    recording: 'vm/unschedulable',
    states: [
      `VirtualMachineInstance Scheduling PodScheduled=False/Unschedulable ${waiting}`,
      `VirtualMachine ErrorUnschedulable created PodScheduled=False/Unschedulable ${waiting}`,
    ],
    events: [/^Pod Warning FailedScheduling: 0\/\d nodes are available: \d Insufficient memory\./],
    never: /^VirtualMachine Running/,
  },
  {
    name: 'the domain dies before it runs',
    trouble: 'crash-loop',
    scene: {},
    recording: 'vm/crashloop-always',
    states: [
      `VirtualMachineInstance DELETING Failed Ready=False/PodTerminating`,
      `VirtualMachine CrashLoopBackOff created Ready=False/PodTerminating`,
      'VirtualMachine CrashLoopBackOff Ready=False/VMINotExists',
    ],
    events: [/^VirtualMachineInstance Warning Stopped: The VirtualMachineInstance crashed\.$/],
    never: /^VirtualMachine Running/,
  },
  {
    name: 'the image cannot be pulled',
    trouble: 'image-pull-error',
    scene: {},
    recording: 'vm/image-pull-error',
    states: ['ErrImagePull', 'ImagePullBackOff'].flatMap((reason) => [
      `VirtualMachineInstance Scheduling ${waiting} Synchronized=False/${reason}`,
      `VirtualMachine ${reason} created ${waiting} Synchronized=False/${reason}`,
    ]),
    events: [],
    never: /^VirtualMachine Running/,
  },
  {
    name: 'the claim is not there',
    trouble: 'missing-claim',
    scene: { claim: 'missing' },
    recording: 'storage/pvc-missing',
    states: [
      'VirtualMachineInstance Pending PodScheduled=False/Unschedulable Ready=False/PodNotExists Synchronized=False/FailedPvcNotFound',
      'VirtualMachine ErrorPvcNotFound created PodScheduled=False/Unschedulable Ready=False/PodNotExists Synchronized=False/FailedPvcNotFound',
    ],
    events: [/^VirtualMachineInstance Normal FailedPvcNotFound: PVC \S+ does not exist, waiting for it to appear$/],
    never: /^VirtualMachine Running|^Pod/,
  },
  {
    name: 'a quota has no room for the pod',
    trouble: 'quota',
    scene: { quota: { 'requests.memory': '1Mi' } },
    recording: 'vm/quota-pod',
    states: [
      'VirtualMachineInstance Pending Ready=False/PodNotExists Synchronized=False/FailedCreate',
      'VirtualMachine Starting created Ready=False/PodNotExists Synchronized=False/FailedCreate',
    ],
    events: [
      /^VirtualMachineInstance Warning FailedCreate: Error creating pod: pods "virt-launcher-\S+" is forbidden: exceeded quota: q, requested: requests\.memory=/,
    ],
    never: /^VirtualMachine Running|^Pod/,
  },
  {
    name: 'a quota has no room for the VMI',
    trouble: 'quota',
    scene: { quota: { 'count/virtualmachineinstances.kubevirt.io': '0' } },
    recording: 'vm/quota-vmi',
    states: ['VirtualMachine Stopped Failure=True/FailedCreate Ready=False/VMINotExists'],
    events: [
      /^VirtualMachine Warning FailedCreate: Error creating virtual machine instance: virtualmachineinstances\.kubevirt\.io "\S+" is forbidden: exceeded quota: q, requested: count\/virtual/,
    ],
    never: /^VirtualMachineInstance/,
  },
  {
    name: 'a quota has no room for the DataVolume',
    trouble: 'quota',
    scene: { disk: true, quota: { 'count/datavolumes.cdi.kubevirt.io': '0' } },
    recording: 'storage/dv-quota',
    states: ['VirtualMachine Stopped Failure=True/FailedCreate Ready=False/VMINotExists'],
    events: [
      /^VirtualMachine Warning FailedDataVolumeCreate: Error creating DataVolume \S+: datavolumes\.cdi\.kubevirt\.io "\S+" is forbidden: exceeded quota: q/,
    ],
    never: /^VirtualMachineInstance|^DataVolume/,
  },
  {
    // kubevirt.md, 1.4 and 5.2: Failure with Provisioning, and ErrExceededQuota at the DataVolume.
    name: 'a quota has no room for the disk',
    trouble: 'quota',
    scene: { disk: true, quota: { 'requests.storage': '1Mi' } },
    states: ['VirtualMachine Provisioning Failure=True/FailedCreate Ready=False/VMINotExists', 'DataVolume Pending'],
    events: [/^VirtualMachine Warning FailedDataVolumeImport: DataVolume \S+ exceeds quota limits$/],
    said: ['DataVolume Bound=False/ErrExceededQuota'],
    never: /^VirtualMachineInstance/,
  },
  {
    name: 'the import fails',
    trouble: 'import-fails',
    scene: { disk: true },
    recording: 'storage/dvtemplate-import-error',
    states: [
      'DataVolume ImportInProgress',
      'VirtualMachine DataVolumeError Ready=False/VMINotExists',
      'VirtualMachine Provisioning Ready=False/VMINotExists',
    ],
    events: [/^VirtualMachine Normal SuccessfulDataVolumeCreate: Created DataVolume \S+$/],
    // 5.2: import errors do not set Failed.
    said: ['DataVolume Running=False/Error'],
    never: /^VirtualMachineInstance|^DataVolume Failed/,
  },
  {
    name: 'a volume is not provisioned',
    trouble: 'volume-pending',
    scene: { claim: 'there' },
    recording: 'storage/pvc-missing',
    states: [
      `VirtualMachineInstance Scheduling ${waiting}`,
      `VirtualMachine WaitingForVolumeBinding created ${waiting}`,
    ],
    events: [],
    never: /^VirtualMachine Running|^PersistentVolumeClaim Bound/,
  },
  {
    name: 'the guest crashes',
    trouble: 'guest-crash',
    scene: {},
    recording: 'vm/guest-crash-always',
    states: [
      `VirtualMachine Running created ready ${migratable}`,
      `VirtualMachineInstance Failed ${migratable}`,
      'VirtualMachine Stopped created LiveMigratable=True Ready=False/PodTerminating StorageLiveMigratable=True',
    ],
    events: [/^VirtualMachineInstance Warning Stopped: The VirtualMachineInstance crashed\.$/],
    // 4.5: a VM that ran starts again without a pause.
    never: /^VirtualMachine CrashLoopBackOff/,
  },
  {
    name: 'the guest does not obey ACPI',
    trouble: 'ignores-acpi',
    scene: { asked: 'stop' },
    recording: 'vm/stop-guest-ignores-acpi',
    states: [
      `VirtualMachine Stopping created ready ${migratable}`,
      'VirtualMachineInstance DELETING Failed LiveMigratable=True Ready=False/PodTerminating StorageLiveMigratable=True',
      'VirtualMachine Stopped LiveMigratable=True Ready=False/VMINotExists StorageLiveMigratable=True',
    ],
    events: [
      /^VirtualMachineInstance Normal ShuttingDown: Signaled Graceful Shutdown$/,
      /^VirtualMachineInstance Warning Stopped: The VirtualMachineInstance crashed\.$/,
    ],
    never: /^VirtualMachineInstance (DELETING )?Succeeded/,
    healed: /^VirtualMachineInstance DELETING Succeeded/,
  },
  {
    name: 'a live migration fails',
    trouble: 'migration-fails',
    scene: { asked: 'migrate' },
    recording: 'migration/fail-during',
    states: [
      `VirtualMachine Migrating created ready ${migratable}`,
      `VirtualMachine Running created ready ${migratable}`,
      'VirtualMachineInstanceMigration Failed',
    ],
    events: [/^VirtualMachineInstanceMigration Warning FailedMigration: source node reported migration failed$/],
    never: /^VirtualMachineInstanceMigration Succeeded/,
    healed: /^VirtualMachineInstanceMigration Succeeded/,
  },
  {
    name: 'the guest has no agent',
    trouble: 'no-agent',
    scene: {},
    recording: 'vm/pause',
    states: [`VirtualMachine Running created ready ${migratable}`],
    events: [],
    never: /AgentConnected/,
    healed: /^VirtualMachine Running created ready AgentConnected=True/,
  },
];
