/**
 * Replays every recorded scenario on the sandbox with KubeVirt simulated: the states that a watcher sees are the
 * recorded ones.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { notRun } from '../not-run.ts';
import { admissionCases } from './admission.ts';
import { alone, listedDifferences, realOnly } from './compare/differences.ts';
import { startHarness, type Harness } from './harness.ts';
import { accessCases, accessId, matrixStates } from './matrix.ts';
import { isSame, playScenario } from './player.ts';
import { replayText } from './report.ts';
import { missingRecordings, readScenario, scenarioIds } from './transcripts.ts';
import { judge } from './replay-check.ts';

const file = 'test/kubevirt/scenarios.suite.ts';
const missing = missingRecordings();
const skip = missing === undefined ? false : notRun(file, missing);
const ids = missing === undefined ? scenarioIds() : [];

describe('the recorded scenarios', { skip }, () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.stop());

  const play = (id: string): void => {
    const onlyReal = realOnly.has(id) ? 'needs a real kube-apiserver' : false;
    test(id, { skip: onlyReal }, async () => {
      const replay = await playScenario(harness, readScenario(id), { stepDeadlineMs: 60_000 });
      judge(id, isSame(replay), replayText(replay, false));
    });
  };

  describe('side by side', { concurrency: 8 }, () => {
    for (const id of ids.filter((one) => !alone.has(one))) play(id);
  });
  describe('alone', () => {
    for (const id of ids.filter((one) => alone.has(one))) play(id);
  });
});

test('every listed difference is about something that was recorded', { skip }, () => {
  const known = new Set([
    ...ids,
    ...admissionCases().map(({ id }) => id),
    ...matrixStates().map(({ state }) => `matrix/${state}`),
    ...accessCases().map((one) => accessId(one)),
  ]);
  assert.deepEqual(
    [...listedDifferences().keys()].filter((id) => !known.has(id)),
    [],
  );
});
