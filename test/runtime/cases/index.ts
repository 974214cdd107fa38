/** All cases. A part of the runtime adds its own file here. */
import type { RuntimeCase } from '../case.ts';
import { objectCases } from './objects.ts';
import { proxyCases } from './proxy.ts';

export const cases: readonly RuntimeCase[] = [...proxyCases, ...objectCases];
