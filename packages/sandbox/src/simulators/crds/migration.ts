/** VirtualMachineInstanceMigration: moves a running VMI to another node. */
import { kubevirtConditions } from './conditions.ts';
import { KUBEVIRT_V1ALPHA3, column, define, type InstalledDefinition } from './definition.ts';
import { migrationState } from './migration-state.ts';
import { atomicTexts, fields, open, text, textMap } from './schema.ts';
import { phaseTransitions } from './virtual-machine-instance.ts';

export const virtualMachineInstanceMigration: InstalledDefinition = define({
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
  spec: fields('The requested migration.', {
    vmiName: text('The instance. It has to be in the same namespace.'),
    addedNodeSelector: textMap('Further labels that the target node must have.'),
    priority: text('The priority.'),
    sendTo: fields(
      'It goes to another cluster.',
      {
        migrationID: text('The identifier, the same on both sides.'),
        connectURL: text('The address of that cluster.'),
      },
      { required: ['connectURL', 'migrationID'] },
    ),
    receive: fields(
      'It comes from another cluster.',
      { migrationID: text('The identifier, the same on both sides.') },
      { required: ['migrationID'] },
    ),
  }),
  status: open('The progress.', {
    phase: text(
      'Pending, Scheduling, Scheduled, PreparingTarget, TargetReady, Running, Succeeded or Failed; WaitingForSync and Synchronizing between clusters.',
    ),
    conditions: kubevirtConditions(),
    phaseTransitionTimestamps: phaseTransitions(),
    migrationState: migrationState(),
    synchronizationAddresses: atomicTexts('Where another cluster reaches this one.'),
  }),
});
