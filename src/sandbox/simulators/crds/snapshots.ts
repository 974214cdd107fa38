/** Snapshots of machines, and their restoration. */
import type { Schema } from '../../schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { PHASE, column, define, type CustomResourceDefinition, type Outline } from './definition.ts';
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

const errorOf = (): Schema => open('What went wrong last.', { message: text('In words.'), time: time('When.') });
const readyColumns = [
  column('ReadyToUse', 'boolean', '.status.readyToUse'),
  column('CreationTime', 'date', '.status.creationTime'),
  column('Error', 'string', '.status.error.message'),
];

export const virtualMachineSnapshot: CustomResourceDefinition = define({
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
  description: 'A snapshot of a machine: its specification and its disks.',
  spec: fields(
    'What should be taken.',
    {
      source: reference('The machine.'),
      deletionPolicy: text('What becomes of the content when this is deleted: Delete (the default) or Retain.'),
      failureDeadline: text('How long it may take, such as 5m; 0 is for ever.'),
    },
    { required: ['source'] },
  ),
  status: open('How far it is.', {
    phase: text('InProgress, Succeeded, Failed, Deleting or Unknown.'),
    readyToUse: flag('It can be restored.'),
    creationTime: time('When the disks were taken.', { nullable: true }),
    conditions: atomicConditions(),
    error: errorOf(),
    indications: setList('How it was taken: Online, GuestAgent, NoGuestAgent, QuiesceFailed, Paused.'),
    sourceUID: text('The machine that was taken.'),
    virtualMachineSnapshotContentName: text('The VirtualMachineSnapshotContent that holds it.'),
    snapshotVolumes: open('Which volumes are part of it.', {
      includedVolumes: setList('These are.'),
      excludedVolumes: setList('These are not.'),
    }),
  }),
});

export const virtualMachineSnapshotContent: CustomResourceDefinition = define({
  ...shared,
  kind: 'VirtualMachineSnapshotContent',
  plural: 'virtualmachinesnapshotcontents',
  shortNames: ['vmsnapshotcontent', 'vmsnapshotcontents'],
  columns: readyColumns,
  description: 'What a VirtualMachineSnapshot holds. It is made by the controller.',
  spec: open(
    'The machine and its volumes as they were.',
    {
      virtualMachineSnapshotName: text('The VirtualMachineSnapshot.'),
      source: open('The machine as it was.'),
      volumeBackups: { type: 'array', description: 'Its volumes.', items: open('One volume.') },
    },
    { required: ['source'] },
  ),
  status: open('How far it is.', {
    readyToUse: flag('It can be restored.'),
    creationTime: time('When the disks were taken.', { nullable: true }),
    error: errorOf(),
  }),
});

export const virtualMachineRestore: CustomResourceDefinition = define({
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
  description: 'Brings a machine back to a snapshot, or makes a new one from it.',
  spec: fields(
    'What should be restored.',
    {
      target: reference('The machine. It need not exist.'),
      virtualMachineSnapshotName: text('The snapshot.'),
      targetReadinessPolicy: word(
        'What happens while the machine runs: stop it, wait a while, fail at once, or wait.',
        ['StopTarget', 'WaitGracePeriod', 'FailImmediate', 'WaitEventually'],
        { default: 'WaitGracePeriod' },
      ),
      patches: atomicTexts('Operations of JSON patch on the machine that is restored, each as JSON.'),
      volumeOwnershipPolicy: text('Who owns the disks: Vm (the default) or None.'),
      volumeRestorePolicy: text('Names of restored disks: RandomizeNames, PrefixTargetName or InPlace.'),
      volumeRestoreOverrides: atomicList(
        'What is different about single disks.',
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
  status: open('How far it is.', {
    complete: flag('It is done.'),
    restoreTime: time('When it was done.'),
    conditions: atomicConditions(),
    deletedDataVolumes: setList('DataVolumes that were given up.'),
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
