/** Without its cluster the API writes down what is asked for, without its database it says so; what was acknowledged is there afterwards. */
import { after, before, suite, test } from 'node:test';
import { ReplicaGround } from './ground.ts';
import { clusterOutage, databaseOutage } from './outages.ts';

/** As long as it takes to be noticed; outage.suite.ts has more load, for longer. */
const short = { awayMs: 0, everyMs: 500 };

suite('two replicas under load', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start({ durable: true });
  });
  after(() => ground?.stop());

  test('go on without their cluster, and do what they have promised when it is back', () =>
    clusterOutage(ground, 'cut', short));

  test('say that their database is away, and have lost nothing when it is back', () => databaseOutage(ground, short));
});
