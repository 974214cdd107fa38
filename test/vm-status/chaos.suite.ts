/** The short run, in which everything is killed once; `make soak AREA=vm-status` is the long one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../chosen.ts';
import { runChaos } from './chaos.ts';

test(
  'whatever is killed, every row says in the end what its machine is, and none ever went back',
  { timeout: 240_000 },
  async () => {
    const seed = testSeed(20_261_118);
    const options = { seed, clusters: 2, machines: 10, durationMs: 0, calmMs: 500, pauseMs: 80 };
    const result = await runChaos(options).catch((cause: unknown) => {
      throw new Error(`the chaos of SSVIRT_TEST_SEED=${seed} ended badly`, { cause });
    });
    assert.deepEqual(result.violations, [], `SSVIRT_TEST_SEED=${seed}`);
    // On a busy host little happens between two kills, but every VM was created and written.
    assert.ok(result.actions > 0 && result.writes >= options.machines, JSON.stringify(result));
  },
);
