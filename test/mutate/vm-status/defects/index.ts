/** Behaviours that are switched off to see that their tests notice. */
import type { VmStatusDefect } from '../defect.ts';
import { controllerDefects } from './controller.ts';
import { databaseDefects } from './database.ts';
import { ledgerDefects } from './ledger.ts';
import { mappingDefects } from './mapping.ts';
import { migrationDefects } from './migrations.ts';
import { observationDefects } from './observations.ts';

export const defects: readonly VmStatusDefect[] = [
  ...controllerDefects,
  ...observationDefects,
  ...migrationDefects,
  ...databaseDefects,
  ...ledgerDefects,
  ...mappingDefects,
];
