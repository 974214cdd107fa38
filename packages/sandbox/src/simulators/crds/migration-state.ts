/** The progress of a live migration: the same schema in the VMI and in the migration. */
import type { Schema } from '../../objects/schema/schema.ts';
import { flag, open, text, time } from './schema.ts';

export const migrationState = (): Schema =>
  open('The last migration.', {
    migrationUid: text('The VirtualMachineInstanceMigration.'),
    mode: text('PreCopy, PostCopy or Paused.'),
    sourceNode: text('The node that it comes from.'),
    sourcePod: text('The pod that it comes from.'),
    targetNode: text('The node that it goes to.'),
    targetPod: text('The pod that it goes to.'),
    targetNodeAddress: text('The address of that node.'),
    targetNodeDomainDetected: flag('The guest has been seen there.'),
    startTimestamp: time('When it began.', { nullable: true }),
    endTimestamp: time('When it ended.', { nullable: true }),
    completed: flag('The migration has ended.'),
    failed: flag('It failed.'),
    failureReason: text('Why it failed.'),
    abortRequested: flag('Cancellation was requested.'),
    abortStatus: text('Whether it was canceled.'),
    migrationPolicyName: text('The MigrationPolicy that applies.'),
  });
