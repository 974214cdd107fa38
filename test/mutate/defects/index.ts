import type { Defect } from '../defect.ts';
import { behind } from './behind.ts';
import { kinds } from './kinds.ts';
import { reading } from './reading.ts';
import { schemas } from './schemas.ts';
import { writing } from './writing.ts';

export const defects: readonly Defect[] = [...reading, ...writing, ...schemas, ...kinds, ...behind];
