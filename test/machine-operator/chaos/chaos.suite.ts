/** The short form, with a few disruptions; `make soak AREA=machine` is the long one. */
// only in make test-all: chaos/crash.suite.ts kills the operator at chosen steps
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../chosen.ts';
import { runChaos } from './run.ts';

test(
  'whatever is killed, cut off or rotated, the world of every Machine is in the end as declared, and nothing else is there',
  { timeout: 240_000 },
  async () => {
    const seed = testSeed(4004);
    const strikes = ['write', 'hung', 'rotated', 'broken'] as const;
    const shape = { machines: 12, durationMs: 0, pauseMs: 60, people: 3, calmMs: 800, deadlineMs: 100_000, strikes };
    const say = process.env['SSVIRT_TEST_LOG'] === undefined ? {} : { say: console.log };
    const result = await runChaos({ seed, ...shape, ...say }).catch((cause: unknown) => {
      throw new Error(`the chaos of SSVIRT_TEST_SEED=${seed} ended badly`, { cause });
    });
    assert.deepEqual(result.doubles, [], `SSVIRT_TEST_SEED=${seed}`);
    assert.ok(result.actions > 0, JSON.stringify(result));
  },
);
