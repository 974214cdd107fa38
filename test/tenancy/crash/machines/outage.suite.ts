/** The database or the connection to the cluster fails while VMs are created. */
import { after, before, suite, test } from 'node:test';
import { MachineCrashGround } from './ground.ts';
import { outageDuring, outages } from './outages.ts';

suite('two replicas that are making machines', () => {
  let ground: MachineCrashGround;
  before(async () => {
    ground = await MachineCrashGround.start(12, { durable: true });
  });
  after(() => ground?.stop());

  for (const outage of outages) test(`go on after an outage: ${outage}`, () => outageDuring(ground, outage, 4_000));
});
