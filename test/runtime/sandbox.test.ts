/** The runtime's cases on the sandbox. */
import { runCases } from './case.ts';
import { cases } from './cases/index.ts';

runCases('sandbox', cases);
