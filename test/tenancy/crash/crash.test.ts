/** Some of the points of crash.suite.ts, others each day. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sample } from '../../mutate/sample.ts';
import { blows } from './blow.ts';
import { ReplicaGround } from './ground.ts';
import { whenOf } from './points.ts';
import { operations, strike } from './strike.ts';

/** The first steps are those of the request; an update has some more than these. */
const steps = Array.from({ length: 15 }, (_, i) => i + 1);
const now = new Date();
const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000);

suite('two replicas, one of which is struck', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start();
  });
  after(() => ground?.stop());

  // The others are in the suite.
  for (const [i, blow] of blows.entries()) {
    if (blow !== 'kill' && i !== 1 + (dayOf(now) % (blows.length - 1))) continue;
    const operation = operations[(dayOf(now) + i) % operations.length] ?? 'create';
    test(`${blow} during ${operation}`, async () => {
      const points = sample(steps, 3, now).map((at) => ({ at, when: whenOf[blow] }));
      const watched = await strike(ground, { operation, blow, points, struck: i % 2 === 0 ? 0 : 1 });
      assert.ok(watched.every(({ heldAt }) => heldAt !== undefined));
    });
  }
});
