/** What virt-controller does for clones of VMs. */
import type { Simulator } from '../../world.ts';
import { vmCloneController } from './controller.ts';

export const cloneController: Simulator = (world) => [vmCloneController(world)];
