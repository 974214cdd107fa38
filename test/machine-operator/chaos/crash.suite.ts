/**
 * The operator is killed between any two of its writes while Machines are created, edited and deleted; the next one
 * brings each to the declared state. Two of the three run by default, and all with SSVIRT_TEST_ALL=1.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../chosen.ts';
import { strikeEverywhere } from '../../tenancy/crash/points.ts';
import { CrashHarness, operations } from './crash-harness.ts';

/** Roughly the number of writes of one of them. */
const width = 20;
const chosen = triesAll ? operations : operations.filter((operation) => operation !== 'create');

suite('an operator that is killed at every step', () => {
  let harness: CrashHarness;
  before(async () => {
    harness = await CrashHarness.start();
  });
  after(() => harness?.stop());

  for (const operation of chosen)
    test(`of ${operation}`, async (t) => {
      const hit = await strikeEverywhere('kill', (points) => harness.strike(operation, points), width);
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length > 10, hit.join('\n'));
    });
});
