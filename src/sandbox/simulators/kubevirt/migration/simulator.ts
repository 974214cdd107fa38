/** What virt-controller does for live migrations: it brings them from phase to phase, and makes those that an eviction or a change of what runs asks for. */
import type { Simulator } from '../../world.ts';
import { liveMigrationController } from './controller.ts';
import { evacuationController } from './evacuation-controller.ts';
import { workloadUpdateController } from './workload-update-controller.ts';

export const migrationController: Simulator = (world) => [
  liveMigrationController(world),
  evacuationController(world),
  workloadUpdateController(world),
];
