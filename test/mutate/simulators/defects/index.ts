/** Behaviours of the simulators that are switched off to see that their tests notice. */
import type { SimulatorDefect } from '../defect.ts';
import { apiDefects } from './api.ts';
import { aroundDefects } from './around.ts';
import { migrationDefects } from './migration.ts';
import { vmDefects } from './vm.ts';
import { vmiDefects } from './vmi.ts';

export const defects: readonly SimulatorDefect[] = [
  ...vmDefects,
  ...vmiDefects,
  ...migrationDefects,
  ...apiDefects,
  ...aroundDefects,
];
