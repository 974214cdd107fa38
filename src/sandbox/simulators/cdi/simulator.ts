/** The containerized data importer: DataVolumes, and what they are made from. */
import type { Simulator } from '../world.ts';
import { dataVolumeController } from './data-volumes.ts';

export const cdi: Simulator = (world) => [dataVolumeController(world)];
