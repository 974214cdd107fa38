/** Mistakes that are planted to see that tests notice. */
import type { MachineDefect } from '../defect.ts';
import { builderDefects } from './builders.ts';
import { controllerDefects } from './controller.ts';
import { fleetDefects } from './fleet.ts';
import { removalDefects } from './removal.ts';
import { wakeUpDefects } from './wake-ups.ts';

export const defects: readonly MachineDefect[] = [
  ...fleetDefects,
  ...builderDefects,
  ...controllerDefects,
  ...removalDefects,
  ...wakeUpDefects,
];
