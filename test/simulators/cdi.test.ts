/** Disks with everything simulated, on the sandbox. */
import { startSandbox } from '../cluster/sandbox.ts';
import { cdiCases } from './cdi-cases.ts';

// Its simulators are those of this process.
cdiCases(() => startSandbox({ args: ['--bare'] }));
