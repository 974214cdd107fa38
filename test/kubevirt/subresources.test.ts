/** Repeats every recorded call of a subresource in each of the recorded states. */
import { after, before, describe, test } from 'node:test';
import { notRun } from '../not-run.ts';
import { startHarness, type Harness } from './harness.ts';
import { accessCases, accessId, checkAccess, checkState, matrixStates } from './matrix.ts';
import { caseText } from './report.ts';
import { missingRecordings } from './transcripts.ts';
import { judge } from './replay-check.ts';

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/kubevirt/subresources.test.ts', missing);

describe('the recorded subresource calls', { skip, concurrency: 6 }, () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.stop());

  for (const state of missing === undefined ? matrixStates() : [])
    test(`${state.state}: ${state.description}`, async () => {
      const result = await checkState(harness, state);
      judge(result.id, result.differences.length === 0, caseText(result, false));
    });

  for (const one of missing === undefined ? accessCases() : []) {
    // The sandbox checks no rights.
    const onlyReal = one.code === 403 && one.user.startsWith('mallory') ? 'needs a real kube-apiserver' : false;
    test(accessId(one), { skip: onlyReal }, async () => {
      const result = await checkAccess(harness, one);
      judge(result.id, result.differences.length === 0, caseText(result, false));
    });
  }
});
