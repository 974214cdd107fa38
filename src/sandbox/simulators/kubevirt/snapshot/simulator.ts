/** What virt-controller does for snapshots of VMs where no storage can take volumes: specifications are taken and brought back. */
import type { Simulator } from '../../world.ts';
import { vmSnapshotController } from './controller.ts';
import { vmRestoreController } from './restore-controller.ts';

export const snapshotController: Simulator = (world) => [vmSnapshotController(world), vmRestoreController(world)];
