/**
 * A replica ends, is paused or is slow between any two steps of an operation on a virtual data center: the other goes on, and nothing is lost or left over.
 * Operations take turns by the day: at every step of two of them it is killed, at every step of a third it is paused or slow. SSVIRT_TEST_ALL=1 tries all of them.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sample } from '../../mutate/sample.ts';
import { blows } from './blow.ts';
import { ReplicaGround } from './ground.ts';
import { strikeEverywhere } from './points.ts';
import { operations, strike } from './strike.ts';

const all = blows.flatMap((blow) => operations.map((operation) => ({ blow, operation })));
const kills = all.filter(({ blow }) => blow === 'kill');
const others = all.filter(({ blow }) => blow !== 'kill');
const now = new Date();
const chosen = process.env['SSVIRT_TEST_ALL'] === '1' ? all : [...sample(kills, 2, now), ...sample(others, 1, now)];

suite('two replicas, one of which is struck at every step', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start();
  });
  after(() => ground?.stop());

  for (const { blow, operation } of chosen)
    test(`${blow} at every step of ${operation}`, async (t) => {
      const hit = await strikeEverywhere(blow, (points, struck) => strike(ground, { operation, blow, points, struck }));
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length > 15, hit.join('\n'));
    });
});
