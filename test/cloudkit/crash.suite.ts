/**
 * The operator is killed between any two of its writes while orders are created, changed and deleted, by the controller
 * and by AAP; the next one brings each to the ordered state. Three of the five operations run by default, and all with
 * SSVIRT_TEST_ALL=1.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../chosen.ts';
import { strikeEverywhere } from '../tenancy/crash/points.ts';
import { CrashHarness, type Operation } from './crash-harness.ts';

/**
 * `inCi`: runs every time. `atLeast`: this many steps are certainly hit. `width`: roughly the number of writes; jobs of
 * AAP take their time.
 */
const operations: readonly (Operation & { readonly inCi?: true; readonly atLeast: number; readonly width: number })[] =
  [
    { does: 'create', by: 'controller', atLeast: 20, width: 18 },
    { does: 'create', by: 'aap', inCi: true, atLeast: 6, width: 8 },
    { does: 'change', by: 'controller', inCi: true, atLeast: 10, width: 10 },
    { does: 'delete', by: 'controller', atLeast: 12, width: 12 },
    { does: 'delete', by: 'aap', inCi: true, atLeast: 4, width: 8 },
  ];
const chosen = operations.filter(({ inCi }) => triesAll || inCi === true);

suite('an operator that is killed at every step', () => {
  let harness: CrashHarness;
  before(async () => {
    harness = await CrashHarness.start();
  });
  after(() => harness?.stop());

  for (const { inCi: _, atLeast, width, ...operation } of chosen)
    test(`of ${operation.does} by ${operation.by}`, async (t) => {
      const hit = await strikeEverywhere('kill', (points) => harness.strike(operation, points), width);
      t.diagnostic(`${hit.length} steps`);
      assert.ok(hit.length >= atLeast, hit.join('\n'));
    });
});
