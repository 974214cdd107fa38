/** Without its cluster the API writes down what is asked for, without its database it says so; what was acknowledged is there afterwards. SSVIRT_TEST_ALL=1 has them away for three times as long. */
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
