/**
 * Repeats every recorded admission case: code, reason, message, causes, warnings and defaulted fields equal the
 * recorded ones.
 */
import { after, before, describe, test } from 'node:test';
import { notRun } from '../not-run.ts';
import { admissionCases, AdmissionRun } from './admission.ts';
import { realOnly } from './compare/differences.ts';
import { startHarness, type Harness } from './harness.ts';
import { caseText } from './report.ts';
import { missingRecordings } from './transcripts.ts';
import { judge } from './replay-check.ts';

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/kubevirt/admission.test.ts', missing);

describe('the recorded admission cases', { skip, concurrency: 4 }, () => {
  let harness: Harness;
  let run: AdmissionRun;
  before(async () => {
    harness = await startHarness();
    run = await AdmissionRun.begin(harness);
  });
  after(() => harness.stop());

  for (const one of missing === undefined ? admissionCases() : []) {
    const onlyReal = realOnly.has(one.id) ? 'needs a real kube-apiserver' : false;
    test(`${one.id}: ${one.description}`, { skip: onlyReal }, async () => {
      const result = await run.check(one);
      judge(one.id, result.differences.length === 0, caseText(result, false));
    });
  }
});
