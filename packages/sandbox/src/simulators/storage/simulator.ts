/** Storage: two classes, and a driver that provisions for them. The control plane binds volumes. */
import type { Simulator } from '../world.ts';
import { classKeeper } from './class-keeper.ts';
import { provisioner } from './provisioner.ts';

export const storage: Simulator = (world) => [classKeeper(world), ...provisioner(world)];
