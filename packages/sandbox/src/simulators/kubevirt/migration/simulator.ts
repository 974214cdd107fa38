/**
 * The migration controllers of virt-controller: one moves migrations from phase to phase, the others create migrations
 * after an eviction or a change of a running VMI.
 */
import type { Simulator } from '../../world.ts';
import { liveMigrationController } from './controller.ts';
import { evacuationController } from './evacuation-controller.ts';
import { workloadUpdateController } from './workload-update-controller.ts';

export const migrationController: Simulator = (world) => [
  liveMigrationController(world),
  evacuationController(world),
  workloadUpdateController(world),
];
