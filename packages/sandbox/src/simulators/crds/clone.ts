/** VirtualMachineClone: a copy of a VM. */
import type { Schema } from '../../objects/schema/schema.ts';
import { kubevirtConditions } from './conditions.ts';
import { PHASE, column, define, type InstalledDefinition } from './definition.ts';
import { atomicTexts, fields, open, text, textMap } from './schema.ts';

const reference = (description: string): Schema =>
  fields(
    description,
    { apiGroup: text('kubevirt.io.'), kind: text('VirtualMachine.'), name: text('Its name.') },
    { required: ['kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
  );

const filters = (what: string): Schema =>
  atomicTexts(`Which ${what} are copied, such as "*", "some/*" or "!some/key"; the last that fits counts.`);

export const virtualMachineClone: InstalledDefinition = define({
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
  description: 'A copy of a VM.',
  spec: fields(
    'The requested clone.',
    {
      source: reference('The VM that is copied.'),
      target: reference('The new VM. Default: a VM with a generated name.'),
      labelFilters: filters('labels'),
      annotationFilters: filters('annotations'),
      template: fields('About labels and annotations of its instances.', {
        labelFilters: filters('labels'),
        annotationFilters: filters('annotations'),
      }),
      newMacAddresses: textMap('MAC addresses by the name of the interface. Default: generated.'),
      newSMBiosSerial: text('The serial number of the new VM. Default: generated.'),
      patches: atomicTexts('Operations of JSON patch on the new VM, each as JSON.'),
      volumeNamePolicy: text('Names of the new disks: RandomizeNames (the default) or PrefixTargetName.'),
    },
    { required: ['source'] },
  ),
  status: open('The progress.', {
    phase: text('SnapshotInProgress, CreatingTargetVM, RestoreInProgress, Succeeded, Failed or Unknown.'),
    conditions: kubevirtConditions({ 'x-kubernetes-list-type': 'atomic' }),
    snapshotName: text('The intermediate snapshot, while it is needed.'),
    restoreName: text('The intermediate restore, while it is needed.'),
    targetName: text('The new VM.'),
  }),
});
