/** A replica ends, is paused or is slow between any two steps of any operation on a virtual data center: the other goes on, and nothing is lost or left over. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ReplicaGround } from './ground.ts';
import { strikeEverywhere } from './points.ts';
import { blows, operations } from './strike.ts';

suite('two replicas, one of which is struck at every step', () => {
  let ground: ReplicaGround;
  before(async () => {
    ground = await ReplicaGround.start();
  });
  after(() => ground?.stop());

  for (const blow of blows)
    for (const operation of operations)
      test(`${blow} at every step of ${operation}`, async (t) => {
        const hit = await strikeEverywhere(ground, operation, blow);
        t.diagnostic(`${hit.length} steps`);
        assert.ok(hit.length > 15, hit.join('\n'));
      });
});
