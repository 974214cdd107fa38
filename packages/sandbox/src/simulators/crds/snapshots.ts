/** Snapshots of VMs, and their restores. */
import type { Schema } from '../../objects/schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { PHASE, column, define, type InstalledDefinition, type Outline } from './definition.ts';
import { atomicList, atomicTexts, fields, flag, open, setList, text, textMap, time, word } from './schema.ts';

const shared = {
  group: 'snapshot.kubevirt.io',
  versions: ['v1beta1', 'v1alpha1'],
  inAll: true,
  hasStatus: true,
  labels: { 'kubevirt.io': '' },
} satisfies Partial<Outline>;

const atomicConditions = (): Schema => kubevirtConditions({ 'x-kubernetes-list-type': 'atomic' });

const reference = (description: string): Schema =>
  fields(
    description,
    { apiGroup: text('kubevirt.io.'), kind: text('VirtualMachine.'), name: text('Its name.') },
    { required: ['kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
  );

const errorOf = (): Schema => open('The last error.', { message: text('The message.'), time: time('When.') });
const readyColumns = [
  column('ReadyToUse', 'boolean', '.status.readyToUse'),
  column('CreationTime', 'date', '.status.creationTime'),
  column('Error', 'string', '.status.error.message'),
];

export const virtualMachineSnapshot: InstalledDefinition = define({
  ...shared,
  kind: 'VirtualMachineSnapshot',
  plural: 'virtualmachinesnapshots',
  shortNames: ['vmsnapshot', 'vmsnapshots'],
  columns: [
    column('SourceKind', 'string', '.spec.source.kind'),
    column('SourceName', 'string', '.spec.source.name'),
    PHASE,
    ...readyColumns,
  ],
  description: 'A snapshot of a VM: its specification and its disks.',
  spec: fields(
    'The requested snapshot.',
    {
      source: reference('The VM.'),
      deletionPolicy: text('What happens to the content when this is deleted: Delete (the default) or Retain.'),
      failureDeadline: text('The deadline, such as 5m; 0 means none.'),
    },
    { required: ['source'] },
  ),
  status: open('The progress.', {
    phase: text('InProgress, Succeeded, Failed, Deleting or Unknown.'),
    readyToUse: flag('It can be restored.'),
    creationTime: time('When the snapshot was taken.', { nullable: true }),
    conditions: atomicConditions(),
    error: errorOf(),
    indications: setList('How it was taken: Online, GuestAgent, NoGuestAgent, QuiesceFailed, Paused.'),
    sourceUID: text('The VM that was taken.'),
    virtualMachineSnapshotContentName: text('The VirtualMachineSnapshotContent that holds it.'),
    snapshotVolumes: open('Which volumes are part of it.', {
      includedVolumes: setList('These are.'),
      excludedVolumes: setList('These are not.'),
    }),
  }),
});

export const virtualMachineSnapshotContent: InstalledDefinition = define({
  ...shared,
  kind: 'VirtualMachineSnapshotContent',
  plural: 'virtualmachinesnapshotcontents',
  shortNames: ['vmsnapshotcontent', 'vmsnapshotcontents'],
  columns: readyColumns,
  description: 'The content of a VirtualMachineSnapshot, created by the controller.',
  spec: open(
    'The VM and its volumes at the time of the snapshot.',
    {
      virtualMachineSnapshotName: text('The VirtualMachineSnapshot.'),
      source: open('The VM at the time of the snapshot.'),
      volumeBackups: { type: 'array', description: 'Its volumes.', items: open('One volume.') },
    },
    { required: ['source'] },
  ),
  status: open('The progress.', {
    readyToUse: flag('It can be restored.'),
    creationTime: time('When the snapshot was taken.', { nullable: true }),
    error: errorOf(),
  }),
});

export const virtualMachineRestore: InstalledDefinition = define({
  ...shared,
  kind: 'VirtualMachineRestore',
  plural: 'virtualmachinerestores',
  shortNames: ['vmrestore', 'vmrestores'],
  columns: [
    column('TargetKind', 'string', '.spec.target.kind'),
    column('TargetName', 'string', '.spec.target.name'),
    column('Complete', 'boolean', '.status.complete'),
    column('RestoreTime', 'date', '.status.restoreTime'),
  ],
  description: 'Restores a VM to a snapshot, or creates a new VM from it.',
  spec: fields(
    'The requested restore.',
    {
      target: reference('The VM. It need not exist.'),
      virtualMachineSnapshotName: text('The snapshot.'),
      targetReadinessPolicy: word(
        'What happens while the VM runs: stop it, wait for a time, fail at once, or wait.',
        ['StopTarget', 'WaitGracePeriod', 'FailImmediate', 'WaitEventually'],
        { default: 'WaitGracePeriod' },
      ),
      patches: atomicTexts('Operations of JSON patch on the VM that is restored, each as JSON.'),
      volumeOwnershipPolicy: text('Who owns the disks: Vm (the default) or None.'),
      volumeRestorePolicy: text('Names of restored disks: RandomizeNames, PrefixTargetName or InPlace.'),
      volumeRestoreOverrides: atomicList(
        'Overrides for single disks.',
        fields('One disk.', {
          volumeName: text('The volume.'),
          restoreName: text('The name of the restored disk.'),
          labels: textMap('Labels of the restored disk.'),
          annotations: textMap('Annotations of the restored disk.'),
        }),
      ),
    },
    { required: ['target', 'virtualMachineSnapshotName'] },
  ),
  status: open('The progress.', {
    complete: flag('It is done.'),
    restoreTime: time('When it was done.'),
    conditions: atomicConditions(),
    deletedDataVolumes: setList('DataVolumes that were deleted.'),
    restores: atomicList(
      'The disks.',
      open(
        'One disk.',
        {
          volumeName: text('The volume.'),
          persistentVolumeClaim: text('The new claim.'),
          volumeSnapshotName: text('The snapshot of the volume.'),
          dataVolumeName: text('The new DataVolume.'),
        },
        { required: ['persistentVolumeClaim', 'volumeName', 'volumeSnapshotName'] },
      ),
    ),
  }),
});
