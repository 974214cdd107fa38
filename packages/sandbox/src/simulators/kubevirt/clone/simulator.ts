/** The clone controller of virt-controller. */
import type { Simulator } from '../../world.ts';
import { vmCloneController } from './controller.ts';

export const cloneController: Simulator = (world) => [vmCloneController(world)];
