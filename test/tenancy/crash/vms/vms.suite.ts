/**
 * A replica is killed, paused or slow between any two steps of an operation on VMs and vApps: the other continues, and
 * nothing is lost, left over, or done twice. The vm-controller is killed at times, too. The default tries are of the
 * operation with the most steps; SSVIRT_TEST_ALL=1 tries all.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../../chosen.ts';
import { strikeEverywhere } from '../points.ts';
import { MachineCrashHarness } from './harness.ts';
import { strikeMachines } from './strike.ts';
import { tries, type Try } from './tries.ts';

/**
 * The number of concurrent operations. With more of them, the first held one could time out before the last is held.
 */
const width = 16;

const chosen: readonly Try[] = triesAll
  ? tries
  : [
      { blow: 'kill', operation: 'instantiate' },
      { blow: 'pause', operation: 'instantiate' },
    ];

suite('two replicas, one of which is struck at every step of work on machines', () => {
  let harness: MachineCrashHarness;
  before(async () => {
    harness = await MachineCrashHarness.start(width);
  });
  after(() => harness?.stop());

  for (const { blow, operation } of chosen)
    test(`${blow} at every step: ${operation}`, async (t) => {
      let rounds = 0;
      const hit = await strikeEverywhere(
        blow,
        (points, struck) => strikeMachines(harness, { operation, blow, points, struck, alone: rounds++ === 1 }),
        width,
      );
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length > 15, hit.join('\n'));
    });
});
