/** Without its cluster the API writes down what is asked for, without its database it says so; what was acknowledged is there afterwards. */
import { after, before, suite, test } from 'node:test';
import { ReplicaGround } from './ground.ts';
import { clusterOutage, databaseOutage } from './outages.ts';

const minute = 60_000;
const everyMs = 100;

suite('two replicas under load for minutes', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start({ durable: true });
  });
  after(() => ground?.stop());

  test('without a cluster that does not answer for a minute', () =>
    clusterOutage(ground, 'silence', { awayMs: minute, everyMs }));

  test('without a database for a quarter of a minute, and again', async () => {
    await databaseOutage(ground, { awayMs: minute / 4, everyMs });
    await databaseOutage(ground, { awayMs: 0, everyMs });
  });
});
