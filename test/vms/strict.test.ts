/** The objects of the builders, on the sandbox. */
import { suite } from 'node:test';
import { startMemberCluster } from '../fleet/sandboxes.ts';
import { strictCases } from './strict-cases.ts';

suite('with the definitions of the sandbox', () => {
  strictCases({ start: () => startMemberCluster('strict'), anyMachines: 20 });
});
