/** Everything that needs a node: the nodes themselves, a scheduler, their kubelets and virt-handlers. */
import type { Simulator } from '../world.ts';
import { virtHandlers } from './domain/virt-handlers.ts';
import { kubelet } from './kubelet.ts';
import { nodeKeeper } from './node-keeper.ts';
import { scheduler } from './scheduler.ts';

export const nodes: Simulator = (world) => [nodeKeeper(world), scheduler(world), kubelet(world), virtHandlers(world)];

export { virtHandler } from './virt-handler.ts';
