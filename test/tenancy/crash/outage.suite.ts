/**
 * Without its cluster the API server records requests; without its database it reports that. Every acknowledged request
 * is fulfilled afterwards. SSVIRT_TEST_ALL=1 makes the outages three times as long.
 */
// only in make test-all: machines/outage.suite.ts has outages while VMs are created
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../chosen.ts';
import { ReplicaHarness } from './harness.ts';
import { clusterOutage, databaseOutage } from './outages.ts';

const awayMs = triesAll ? 60_000 : 20_000;
const everyMs = 100;

suite('two replicas under load', () => {
  let harness: ReplicaHarness;
  before(async () => {
    harness = await ReplicaHarness.start({ durable: true });
  });
  after(() => harness?.stop());

  test('without a cluster that does not answer for long', () => clusterOutage(harness, 'silence', { awayMs, everyMs }));

  test('without a database for a while, and again', async () => {
    await databaseOutage(harness, { awayMs: awayMs / 4, everyMs });
    await databaseOutage(harness, { awayMs: 0, everyMs });
  });
});
