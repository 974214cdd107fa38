/** Some of the points of machines.suite.ts, others each day. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sample } from '../../../mutate/sample.ts';
import { whenOf } from '../points.ts';
import { MachineCrashGround } from './ground.ts';
import { strikeMachines } from './strike.ts';
import { tries } from './tries.ts';

/** The first steps are those of the request; each operation has a good twenty. */
const steps = Array.from({ length: 22 }, (_, i) => i + 1);
const width = 4;
const now = new Date();
const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000);

suite('two replicas, one of which is struck while it works on machines', () => {
  let ground: MachineCrashGround;
  before(async () => {
    ground = await MachineCrashGround.start(width);
  });
  after(() => ground?.stop());

  for (const { blow, operation } of sample(tries, 1, now))
    test(`${blow} during ${operation}`, async () => {
      const points = sample(steps, width, now).map((at) => ({ at, when: whenOf[blow] }));
      const watched = await strikeMachines(ground, { operation, blow, points, struck: dayOf(now) % 2 === 0 ? 0 : 1 });
      assert.ok(watched.every(({ heldAt }) => heldAt !== undefined));
    });
});
