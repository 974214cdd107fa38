/** The containerized data importer: DataVolumes, what they are made from, and what is known about storage. */
import type { Simulator } from '../world.ts';
import { dataSourceController } from './data-sources.ts';
import { dataVolumeController } from './data-volumes.ts';
import { importCronController } from './import-crons.ts';
import { configController, storageProfileController } from './storage-profiles.ts';

export const cdi: Simulator = (world) => [
  storageProfileController(world),
  configController(world),
  dataVolumeController(world),
  dataSourceController(world),
  importCronController(world),
];
