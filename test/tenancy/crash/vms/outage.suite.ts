/** The database or the connection to the cluster fails while VMs are created. */
import { after, before, suite, test } from 'node:test';
import { MachineCrashHarness } from './harness.ts';
import { outageDuring, outages } from './outages.ts';

suite('two replicas that are making machines', () => {
  let harness: MachineCrashHarness;
  before(async () => {
    harness = await MachineCrashHarness.start(12, { durable: true });
  });
  after(() => harness?.stop());

  for (const outage of outages) test(`go on after an outage: ${outage}`, () => outageDuring(harness, outage, 4_000));
});
