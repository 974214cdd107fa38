import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isInRollout, rolloutPlace } from './rollout.ts';

/** In the form of Kubernetes' uids, but deterministic. */
const uids = fc.sample(fc.uuid({ version: 4 }), { numRuns: 10_000, seed: 20 });

for (const percentage of [10, 25, 50, 100])
  test(`a rollout of ${percentage} % reaches about so many of 10 000 orders`, () => {
    const share = uids.filter((uid) => isInRollout(uid, percentage)).length / uids.length;
    // More than five standard deviations.
    assert.ok(Math.abs(share - percentage / 100) < 0.025, `it reaches ${share * 100} %`);
  });

test('a rollout of 0 % reaches no order, and one of 100 % every order', () => {
  assert.equal(uids.filter((uid) => isInRollout(uid, 0)).length, 0);
  assert.equal(uids.filter((uid) => isInRollout(uid, 100)).length, uids.length);
});

test('who is in stays in when the rollout grows', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (uid, one, other) => {
      const [small, large] = [Math.min(one, other), Math.max(one, other)];
      if (isInRollout(uid, small)) assert.ok(isInRollout(uid, large));
    }),
    { numRuns: 5000 },
  );
});

test('the place of an order is the same in every release', () => {
  const places = ['6b8f4f7e-3c1c-4a59-9a5f-2f6f3b1f0a11', 'c0ffee00-0000-4000-8000-000000000000', ''].map(rolloutPlace);
  assert.deepEqual(places, [58, 37, 18]);
});
