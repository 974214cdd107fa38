/**
 * One replica is killed, paused or slow between any two steps of an operation on a VDC: the other continues, and
 * nothing is lost or left over. By default it is killed at every step of two chosen operations, and slow at every step
 * of one. SSVIRT_TEST_ALL=1 tries all.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../chosen.ts';
import { blows, type Blow } from './blow.ts';
import { ReplicaHarness } from './harness.ts';
import { strikeEverywhere } from './points.ts';
import { operations, strike, type Operation } from './strike.ts';

const chosen: readonly { readonly blow: Blow; readonly operation: Operation }[] = triesAll
  ? blows.flatMap((blow) => operations.map((operation) => ({ blow, operation })))
  : [
      { blow: 'kill', operation: 'update' },
      { blow: 'kill', operation: 'forced delete' },
      { blow: 'delay', operation: 'forced delete' },
    ];

suite('two replicas, one of which is struck at every step', () => {
  let harness: ReplicaHarness;
  before(async () => {
    harness = await ReplicaHarness.start();
  });
  after(() => harness?.stop());

  for (const { blow, operation } of chosen)
    test(`${blow} at every step of ${operation}`, async (t) => {
      const hit = await strikeEverywhere(blow, (points, struck) =>
        strike(harness, { operation, blow, points, struck }),
      );
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length > 15, hit.join('\n'));
    });
});
