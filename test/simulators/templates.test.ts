/** Templates on the sandbox. */
import { startSandbox } from '../cluster/sandbox.ts';
import { templatesCases } from './templates-cases.ts';

templatesCases(() => startSandbox(), { hasRights: false });
