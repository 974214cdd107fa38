/** Everything simulated, on the sandbox. */
import { startSandbox } from '../cluster/sandbox.ts';
import { lifeCases } from './life-cases.ts';

lifeCases(() => startSandbox());
