/**
 * Whatever users and faults do, only steps occur that KubeVirt has, and when the faults are lifted everything ends as
 * the specs require.
 * .ci/run plays more. SSVIRT_TEST_SEED repeats a run, SSVIRT_TEST_RUNS makes more histories and SSVIRT_TEST_ACTIONS
 * longer ones.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { testSeed } from '../chosen.ts';
import { history, show } from './property/actions.ts';
import { Harness } from './property/harness.ts';
import { Player } from './property/player.ts';

const seed = testSeed(20_261_116);
const numRuns = Number(process.env['SSVIRT_TEST_RUNS'] ?? 1);
const actions = Number(process.env['SSVIRT_TEST_ACTIONS'] ?? 40);

describe('simulated KubeVirt on random histories', { timeout: 120_000 + numRuns * 120_000 }, () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness?.stop());

  test('every step is one of KubeVirt, and all ends as the specs ask for', async (t) => {
    let [played, refused] = [0, 0];
    const property = fc.asyncProperty(history(actions), async (one) => {
      const player = new Player(harness, await harness.newNamespace());
      harness.witness.story.length = 0;
      await player.play(one);
      played += one.actions.length;
      refused += player.refused;
    });
    // A history depends on timing: a failure may not repeat, so nothing is shrunk.
    const {
      failed,
      counterexample,
      errorInstance,
      numRuns: run,
    } = await fc.check(property, {
      seed,
      numRuns,
      endOnFailure: true,
    });
    if (failed) {
      const actionsOfIt = counterexample?.[0].actions.map(show).join('\n');
      assert.fail(`SSVIRT_TEST_SEED=${seed}, history ${run}:\n${actionsOfIt}\n${String(errorInstance)}`);
    }
    t.diagnostic(
      `SSVIRT_TEST_SEED=${seed}, ${played} actions, ${refused} refused, ${harness.witness.steps.size} different steps`,
    );
    if (process.env['SSVIRT_TEST_STEPS'] !== undefined)
      for (const [step, count] of [...harness.witness.steps].toSorted(([a], [b]) => a.localeCompare(b)))
        t.diagnostic(`${step} ${count}`);
  });
});
