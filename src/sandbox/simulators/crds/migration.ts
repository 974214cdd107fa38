/** VirtualMachineInstanceMigration: moves an instance to another node while it runs. */
import { kubevirtConditions } from './conditions.ts';
import { KUBEVIRT_V1ALPHA3, column, define, type CustomResourceDefinition } from './definition.ts';
import { migrationState } from './migration-state.ts';
import { atomicTexts, fields, open, text, textMap } from './schema.ts';
import { phaseTransitions } from './virtual-machine-instance.ts';

export const virtualMachineInstanceMigration: CustomResourceDefinition = define({
  group: 'kubevirt.io',
  versions: ['v1'],
  deprecated: KUBEVIRT_V1ALPHA3,
  kind: 'VirtualMachineInstanceMigration',
  plural: 'virtualmachineinstancemigrations',
  shortNames: ['vmim', 'vmims'],
  inAll: true,
  hasStatus: true,
  columns: [
    column('Phase', 'string', '.status.phase', { description: 'The current phase of VM instance migration' }),
    column('VMI', 'string', '.spec.vmiName', { description: 'The name of the VMI to perform the migration on' }),
  ],
  labels: { 'kubevirt.io': '' },
  description: 'Moves an instance to another node while it runs.',
  spec: fields('What should be moved.', {
    vmiName: text('The instance. It has to be in the same namespace.'),
    addedNodeSelector: textMap('Further labels that the target node must have.'),
    priority: text('How urgent it is.'),
    sendTo: fields(
      'It goes to another cluster.',
      { migrationID: text('The same on both sides.'), connectURL: text('Where that cluster is reached.') },
      { required: ['connectURL', 'migrationID'] },
    ),
    receive: fields(
      'It comes from another cluster.',
      { migrationID: text('The same on both sides.') },
      { required: ['migrationID'] },
    ),
  }),
  status: open('How far it is.', {
    phase: text(
      'Pending, Scheduling, Scheduled, PreparingTarget, TargetReady, Running, Succeeded or Failed; WaitingForSync and Synchronizing between clusters.',
    ),
    conditions: kubevirtConditions(),
    phaseTransitionTimestamps: phaseTransitions(),
    migrationState: migrationState(),
    synchronizationAddresses: atomicTexts('Where another cluster reaches this one.'),
  }),
});
