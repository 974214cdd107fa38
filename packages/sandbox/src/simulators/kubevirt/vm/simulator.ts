/** The VM controller of virt-controller. */
import type { Simulator } from '../../world.ts';
import { createVmController } from './controller.ts';
import { instancetypesIn } from './instancetypes.ts';
import { createVolumeSnapshotController } from './volumes/volume-snapshot-controller.ts';

export const vmController: Simulator = (world) => [
  createVolumeSnapshotController(world),
  createVmController(world, instancetypesIn(world)),
];
