/** Disks with everything simulated, on the sandbox. */
import { startSandbox } from '../cluster/sandbox.ts';
import { cdiCases } from './cdi-cases.ts';

// The simulators run in this process.
cdiCases(() => startSandbox({ args: ['--bare'] }));
