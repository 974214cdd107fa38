/**
 * A random history on the sandbox; .ci/run tries more. SSVIRT_TEST_SEED repeats one, SSVIRT_TEST_WRITES makes it
 * longer.
 */
import { after, before, describe, test } from 'node:test';
import { startHarness, type Harness } from './harness.ts';
import { runModel } from './model/model.ts';

const given = process.env['SSVIRT_TEST_SEED'];
const seeds = given === undefined ? [1] : given.split(',').map(Number);
const writes = Number(process.env['SSVIRT_TEST_WRITES'] ?? 150);

describe('informers on random histories', { timeout: 300_000 }, () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness('sandbox');
  });
  after(() => harness?.stop());

  for (const seed of seeds) {
    test(`D3: caches end as the server is, and handlers saw a subsequence of what happened, seed ${seed}`, async (t) => {
      const { lives, events, played } = await runModel(harness, { seed, writes, mischief: 0.25, kills: 2 });
      t.diagnostic(
        `${lives} objects, ${events} events, ${[...played].map(([name, count]) => `${name} ${count}`).join(', ')}`,
      );
    });
  }
});
