/** Without its cluster the API writes down what is asked for, without its database it says so; what was acknowledged is there afterwards. */
import { after, before, suite, test } from 'node:test';
import { ReplicaGround } from './ground.ts';
import { clusterOutage, databaseOutage } from './outages.ts';

suite('two replicas under load', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start({ durable: true });
  });
  after(() => ground?.stop());

  test('go on without their cluster, and do what they have promised when it is back', () =>
    clusterOutage(ground, 'cut', 0));

  test('say that their database is away, and have lost nothing when it is back', () => databaseOutage(ground, 0));
});
