/** What the builders make, on the sandbox. */
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { strictCases } from './strict-cases.ts';

strictCases({ start: () => startMemberCluster('strict'), anyMachines: 20 });
