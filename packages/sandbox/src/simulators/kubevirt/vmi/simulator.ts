/** The part of virt-controller for VirtualMachineInstances: their pods, their status, and lost nodes. */
import type { Simulator } from '../../world.ts';
import { vmiLifecycleController } from './controller.ts';
import { nodeController } from './node-controller.ts';

export const vmiController: Simulator = (world) => [vmiLifecycleController(world), nodeController(world)];
