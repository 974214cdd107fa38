/** VirtualMachine: a VM that can be started and stopped. */
import type { Schema } from '../../objects/schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { dataVolumeSpec } from './data-volume-spec.ts';
import { KUBEVIRT_V1ALPHA3, AGE, column, define, type InstalledDefinition } from './definition.ts';
import { fields, flag, int64, integer, list, open, presence, text, textMap, time, type Properties } from './schema.ts';
import { vmiSpec } from './vmi-spec.ts';

const matcher = (what: string, kinds: string): Schema =>
  fields(`The ${what} of this VM.`, {
    name: text('Its name.'),
    kind: text(`${kinds}; the first where nothing is said.`),
    revisionName: text('The ControllerRevision with its stored version. Filled in at the first use.'),
    inferFromVolume: text('The volume whose labels name it, in place of a name.'),
    inferFromVolumeFailurePolicy: text('What happens if the volume names none: Reject (the default) or Ignore.'),
  });

const usedRevision = (what: string): Schema =>
  open(
    `The ${what} that is in use.`,
    {
      name: text('Its name.'),
      kind: text('Its kind.'),
      controllerRevisionRef: open('The stored version that this VM uses.', { name: text('Its name.') }),
      inferFromVolume: text('The volume that it was inferred from.'),
      inferFromVolumeFailurePolicy: text('What happens if the volume names none.'),
    },
    { nullable: true },
  );

const spec = (): Schema =>
  fields(
    'The desired VM. Changes to the template apply at the next start, unless they can be applied live.',
    {
      runStrategy: text(
        'Always: it runs, whatever happens. RerunOnFailure: it is started again after a failure only. ' +
          'Once: it is started once. Manual: it starts and stops on request. Halted: it is off.',
      ),
      running: flag('Deprecated: true is Always, false is Halted.'),
      instancetype: matcher('instance type', 'VirtualMachineClusterInstancetype or VirtualMachineInstancetype'),
      preference: matcher('preference', 'VirtualMachineClusterPreference or VirtualMachinePreference'),
      dataVolumeTemplates: list(
        'DataVolumes that are created for this VM and deleted with it. A volume of the template must name each.',
        fields(
          'One DataVolume.',
          {
            apiVersion: text('May be left out.'),
            kind: text('May be left out.'),
            metadata: open('Its name, labels and annotations.', {}, { nullable: true }),
            spec: dataVolumeSpec('The desired DataVolume.', 'in-virtual-machine'),
            status: presence('Not used.', { nullable: true }),
          },
          { required: ['spec'], nullable: true },
        ),
      ),
      template: fields('The template of the instance, used at each start of the VM.', {
        metadata: open('Labels and annotations of the instance and of its pod.', {}, { nullable: true }),
        spec: vmiSpec('The desired instance.'),
      }),
      updateVolumesStrategy: text(
        'How volumes of the template are replaced while it runs: Replacement (at the next start) or Migration (at once).',
      ),
    },
    { required: ['template'] },
  );

const status: Properties = {
  printableStatus: text(
    'The state of the VM in one word: Stopped, Provisioning, Starting, Running, Paused, Stopping, Terminating, Migrating, ' +
      'WaitingForVolumeBinding, WaitingForReceiver, Unknown; or what it fails at: CrashLoopBackOff, ErrorUnschedulable, ErrImagePull, ' +
      'ImagePullBackOff, ErrorPvcNotFound, DataVolumeError.',
    { default: 'Stopped' },
  ),
  created: flag('An instance exists.'),
  ready: flag('The instance runs and is ready.'),
  conditions: kubevirtConditions(),
  runStrategy: text('The last effective strategy.'),
  stateChangeRequests: list(
    'Pending requests to start or stop.',
    open(
      'One request.',
      {
        action: text('Start or Stop.'),
        data: textMap('More about it, such as paused.'),
        uid: text('The instance to which it applies.'),
      },
      { required: ['action'] },
    ),
  ),
  startFailure: open(
    'Consecutive failed starts.',
    {
      consecutiveFailCount: integer('The number of failures.'),
      lastFailedVMIUID: text('The instance that failed last.'),
      retryAfterTimestamp: time('The time of the next attempt.'),
    },
    { nullable: true },
  ),
  observedGeneration: int64('The generation of this object that the instance was made from.'),
  desiredGeneration: int64('The generation of this object.'),
  instancetypeRef: usedRevision('instance type'),
  preferenceRef: usedRevision('preference'),
  snapshotInProgress: text('The VirtualMachineSnapshot that is being taken.'),
  restoreInProgress: text('The VirtualMachineRestore in progress.'),
  volumeSnapshotStatuses: list(
    'Whether volumes can be part of a snapshot.',
    open(
      'One volume.',
      { name: text('The volume.'), enabled: flag('Whether it can.'), reason: text('Why not.') },
      { required: ['enabled', 'name'] },
    ),
  ),
  memoryDumpRequest: open(
    'The requested memory dump.',
    {
      claimName: text('The claim that it is written to.'),
      phase: text('Associating, InProgress, Unmounting, Completed, Dissociating or Failed.'),
      fileName: text('The name of the file.'),
      message: text('What went wrong.'),
      remove: flag('The claim is to be released.'),
      startTimestamp: time('When it began.'),
      endTimestamp: time('When it ended.'),
    },
    { nullable: true, required: ['claimName', 'phase'] },
  ),
};

export const virtualMachine: InstalledDefinition = define({
  group: 'kubevirt.io',
  versions: ['v1'],
  deprecated: KUBEVIRT_V1ALPHA3,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  shortNames: ['vm', 'vms'],
  inAll: true,
  hasStatus: true,
  columns: [
    AGE,
    column('Status', 'string', '.status.printableStatus', { description: 'Human Readable Status' }),
    column('Ready', 'string', ".status.conditions[?(@.type=='Ready')].status"),
  ],
  labels: { 'kubevirt.io': '' },
  description:
    'A virtual machine that can be started and stopped. While it runs, there is a VirtualMachineInstance of the same name, and a pod that runs it.',
  spec: spec(),
  status: open('What is known about the VM.', status),
});
