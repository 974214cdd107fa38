/** VirtualMachineClone: a copy of a machine. */
import type { Schema } from '../../schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { PHASE, column, define, type CustomResourceDefinition } from './definition.ts';
import { atomicTexts, fields, open, text, textMap } from './schema.ts';

const reference = (description: string): Schema =>
  fields(
    description,
    { apiGroup: text('kubevirt.io.'), kind: text('VirtualMachine.'), name: text('Its name.') },
    { required: ['kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
  );

const filters = (what: string): Schema =>
  atomicTexts(`Which ${what} are copied, such as "*", "some/*" or "!some/key"; the last that fits counts.`);

export const virtualMachineClone: CustomResourceDefinition = define({
  group: 'clone.kubevirt.io',
  versions: ['v1beta1'],
  kind: 'VirtualMachineClone',
  plural: 'virtualmachineclones',
  shortNames: ['vmclone', 'vmclones'],
  inAll: true,
  hasStatus: true,
  columns: [
    PHASE,
    column('SourceVirtualMachine', 'string', '.spec.source.name'),
    column('TargetVirtualMachine', 'string', '.spec.target.name'),
  ],
  labels: { 'kubevirt.io': '' },
  description: 'A copy of a machine.',
  spec: fields(
    'What should be copied.',
    {
      source: reference('The machine that is copied.'),
      target: reference('The new machine; one with a made-up name where it is left out.'),
      labelFilters: filters('labels'),
      annotationFilters: filters('annotations'),
      template: fields('About labels and annotations of its instances.', {
        labelFilters: filters('labels'),
        annotationFilters: filters('annotations'),
      }),
      newMacAddresses: textMap('Addresses of interfaces by their name; those that are left out get new ones.'),
      newSMBiosSerial: text('The serial number of the new machine; a new one where it is left out.'),
      patches: atomicTexts('Operations of JSON patch on the new machine, each as JSON.'),
      volumeNamePolicy: text('Names of the new disks: RandomizeNames (the default) or PrefixTargetName.'),
    },
    { required: ['source'] },
  ),
  status: open('How far it is.', {
    phase: text('SnapshotInProgress, CreatingTargetVM, RestoreInProgress, Succeeded, Failed or Unknown.'),
    conditions: kubevirtConditions({ 'x-kubernetes-list-type': 'atomic' }),
    snapshotName: text('The snapshot that it goes by, while it is needed.'),
    restoreName: text('The restore that it goes by, while it is needed.'),
    targetName: text('The new machine.'),
  }),
});
