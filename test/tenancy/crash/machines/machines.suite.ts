/**
 * A replica ends, is paused or is slow between any two steps of what is done to machines and vApps: the other goes on, nothing is lost, left over, or done
 * twice. The vm-controller ends at times, too. It is killed at every step of some operations, which take turns by the day, as pauses and delays
 * do; SSVIRT_TEST_ALL=1 tries all of them.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sample } from '../../../mutate/sample.ts';
import { strikeEverywhere } from '../points.ts';
import { MachineCrashGround } from './ground.ts';
import { strikeMachines } from './strike.ts';
import { tries } from './tries.ts';

/** At a time: so many are under way before the first of them is not waited for any longer. */
const width = 16;

const kills = tries.filter(({ blow }) => blow === 'kill');
const others = tries.filter(({ blow }) => blow !== 'kill');
const now = new Date();
const chosen =
  process.env['SSVIRT_TEST_ALL'] === '1'
    ? tries
    : [...sample(kills, Math.ceil(kills.length / 18), now), ...sample(others, 1, now)];

suite('two replicas, one of which is struck at every step of work on machines', () => {
  let ground: MachineCrashGround;
  before(async () => {
    ground = await MachineCrashGround.start(width);
  });
  after(() => ground?.stop());

  for (const { blow, operation } of chosen)
    test(`${blow} at every step: ${operation}`, async (t) => {
      let rounds = 0;
      const hit = await strikeEverywhere(
        blow,
        (points, struck) => strikeMachines(ground, { operation, blow, points, struck, alone: rounds++ === 1 }),
        width,
      );
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length > 15, hit.join('\n'));
    });
});
