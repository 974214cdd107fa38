/**
 * Recordings of KubeVirt replayed with the simulators on a real kube-apiserver: a choice of scenarios, with all those
 * about rights, PodSecurity and quota, every admission case, and the calls of users with and without rights.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: on the sandbox .ci/run replays all scenarios, and make test all admission cases and calls
import { after, before, describe, test } from 'node:test';
import { notRun } from '../not-run.ts';
import { admissionCases, AdmissionRun } from './admission.ts';
import { startRealHarness, type Harness } from './harness.ts';
import { accessCases, accessId, checkAccess, checkState, matrixStates } from './matrix.ts';
import { isSame, playScenario } from './player.ts';
import { caseText, replayText } from './report.ts';
import { missingRecordings, readScenario } from './transcripts.ts';
import { judge } from './replay-check.ts';

const scenarios = [
  'instancetype/cluster-always',
  'migration/success',
  'storage/dv-quota',
  'storage/dvtemplate-always',
  'storage/dvtemplate-clone-unauthorized',
  'storage/dvtemplate-wffc-legacy',
  'vm/create-always',
  'vm/create-halted',
  'vm/delete-running-background',
  'vm/delete-running-foreground',
  'vm/delete-running-orphan',
  'vm/evict',
  'vm/namespace-delete',
  'vm/pause',
  'vm/podsecurity-restricted',
  'vm/quota-limits',
  'vm/quota-pod',
  'vm/quota-vmi',
  'vm/restart-always',
  'vm/service-account-missing',
];

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/kubevirt/real.suite.ts', missing);

describe('recordings of KubeVirt on a real kube-apiserver', { skip }, () => {
  let harness: Harness;
  let admission: AdmissionRun;
  before(async () => {
    harness = await startRealHarness();
    admission = await AdmissionRun.begin(harness);
  });
  after(() => harness.stop());

  describe('scenarios', { concurrency: 4 }, () => {
    for (const id of scenarios)
      test(id, async () => {
        const replay = await playScenario(harness, readScenario(id), { stepDeadlineMs: 30_000 });
        judge(id, isSame(replay), replayText(replay, false));
      });
  });

  test('vm/virt-api-down', async () => {
    const replay = await playScenario(harness, readScenario('vm/virt-api-down'), { stepDeadlineMs: 30_000 });
    judge('vm/virt-api-down', isSame(replay), replayText(replay, false));
  });

  describe('admission cases', { concurrency: 4 }, () => {
    for (const one of missing === undefined ? admissionCases() : [])
      test(`${one.id}: ${one.description}`, async () => {
        const result = await admission.check(one);
        judge(one.id, result.differences.length === 0, caseText(result, false));
      });
  });

  describe('subresources', { concurrency: 4 }, () => {
    for (const one of missing === undefined ? accessCases() : [])
      test(accessId(one), async () => {
        const result = await checkAccess(harness, one);
        judge(result.id, result.differences.length === 0, caseText(result, false));
      });
    for (const state of missing === undefined ? matrixStates() : [])
      test(`${state.state}: ${state.description}`, async () => {
        const result = await checkState(harness, state);
        judge(result.id, result.differences.length === 0, caseText(result, false));
      });
  });
});
