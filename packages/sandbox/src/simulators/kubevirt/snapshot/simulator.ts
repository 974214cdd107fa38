/**
 * Snapshots and restores of virt-controller in a cluster whose storage cannot snapshot volumes: only specs are saved
 * and restored.
 */
import type { Simulator } from '../../world.ts';
import { vmSnapshotController } from './controller.ts';
import { vmRestoreController } from './restore-controller.ts';

export const snapshotController: Simulator = (world) => [vmSnapshotController(world), vmRestoreController(world)];
