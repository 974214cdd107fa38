/**
 * Without its cluster the API server records requests; without its database it reports that. Every acknowledged request
 * is fulfilled afterwards. SSVIRT_TEST_ALL=1 makes the outages three times as long.
 */
// only in make test-all: machines/outage.suite.ts has outages while VMs are created
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../chosen.ts';
import { ReplicaGround } from './ground.ts';
import { clusterOutage, databaseOutage } from './outages.ts';

const awayMs = triesAll ? 60_000 : 20_000;
const everyMs = 100;

suite('two replicas under load', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start({ durable: true });
  });
  after(() => ground?.stop());

  test('without a cluster that does not answer for long', () => clusterOutage(ground, 'silence', { awayMs, everyMs }));

  test('without a database for a while, and again', async () => {
    await databaseOutage(ground, { awayMs: awayMs / 4, everyMs });
    await databaseOutage(ground, { awayMs: 0, everyMs });
  });
});
