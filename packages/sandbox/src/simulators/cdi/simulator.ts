/** The Containerized Data Importer: DataVolumes, their sources, and what is known about storage. */
import { Stopwatch } from '../stopwatch.ts';
import type { Simulator } from '../world.ts';
import { cdiCaches } from './caches.ts';
import { dataSourceController } from './data-sources.ts';
import { dataVolumeController } from './data-volumes.ts';
import { importerPods } from './imports/importer-pods.ts';
import { importCronController } from './imports/import-crons.ts';
import { configController, storageProfileController } from './storage-profiles.ts';

export const cdi: Simulator = (world) => {
  const cluster = world.as('cdi-controller');
  const shell = { world, cluster, caches: cdiCaches(cluster), watch: new Stopwatch() };
  return [
    storageProfileController(world),
    configController(world),
    dataVolumeController(shell),
    importerPods(shell),
    dataSourceController(world),
    importCronController(world),
  ];
};
