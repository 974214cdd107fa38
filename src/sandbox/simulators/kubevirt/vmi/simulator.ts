/** What virt-controller does for VirtualMachineInstances: their pods, their status, and the nodes that they are lost with. */
import type { Simulator } from '../../world.ts';
import { vmiLifecycleController } from './controller.ts';
import { nodeController } from './node-controller.ts';

export const vmiController: Simulator = (world) => [vmiLifecycleController(world), nodeController(world)];
