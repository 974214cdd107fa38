/** The simulators' server on the sandbox. */
import { startSandbox } from '../cluster/sandbox.ts';
import { servingCases } from './serving-cases.ts';

servingCases(() => startSandbox());
