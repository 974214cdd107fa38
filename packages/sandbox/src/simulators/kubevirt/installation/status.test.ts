/** The status of workloads and installations, computed from numbers alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import { isUp } from './operator-controller.ts';
import { cdiStatus, kubevirtStatus } from './operator-status.ts';
import { daemonSetStatus, deploymentStatus, timed } from './workload-status.ts';

const NOW = '2026-01-02T03:04:05Z';
const EARLIER = '2026-01-01T00:00:00Z';

describe('a Deployment', () => {
  const cases: readonly {
    readonly name: string;
    readonly counts: { readonly wanted: number; readonly there: number; readonly ready: number };
    readonly available: string;
    readonly numbers: object;
  }[] = [
    {
      name: 'with all its pods ready is available',
      counts: { wanted: 2, there: 2, ready: 2 },
      available: 'True',
      numbers: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
    },
    {
      name: 'with one of two ready is not',
      counts: { wanted: 2, there: 2, ready: 1 },
      available: 'False',
      numbers: {
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
      },
    },
    {
      name: 'with three of four ready is, since one may be missing',
      counts: { wanted: 4, there: 4, ready: 3 },
      available: 'True',
      numbers: {
        replicas: 4,
        updatedReplicas: 4,
        readyReplicas: 3,
        availableReplicas: 3,
        unavailableReplicas: 1,
      },
    },
    {
      name: 'that should have none says no numbers',
      counts: { wanted: 0, there: 0, ready: 0 },
      available: 'True',
      numbers: {},
    },
  ];
  for (const { name, counts, available, numbers } of cases) {
    test(name, () => {
      const { conditions, observedGeneration, ...said } = deploymentStatus(counts, 3, 'x-1', [], NOW);
      assert.deepEqual(said, numbers);
      assert.equal(observedGeneration, 3);
      assert.equal(conditions.find(({ type }) => type === 'Available')?.status, available);
    });
  }
});

test('a DaemonSet counts nodes', () => {
  assert.deepEqual(daemonSetStatus({ wanted: 3, there: 3, ready: 2 }, 1), {
    observedGeneration: 1,
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberMisscheduled: 0,
    numberReady: 2,
    numberAvailable: 2,
    numberUnavailable: 1,
  });
});

test('the time of a condition moves with its status, and its other time with what it says', () => {
  const before = [
    {
      type: 'A',
      status: 'True',
      reason: 'Same',
      message: 'same',
      lastUpdateTime: EARLIER,
      lastTransitionTime: EARLIER,
    },
    { type: 'B', status: 'True', reason: 'Was', message: 'was', lastUpdateTime: EARLIER, lastTransitionTime: EARLIER },
    { type: 'C', status: 'True', reason: 'Was', message: 'was', lastUpdateTime: EARLIER, lastTransitionTime: EARLIER },
  ] as const;
  const after = timed(
    [
      { type: 'A', status: 'True', reason: 'Same', message: 'same' },
      { type: 'B', status: 'True', reason: 'Is', message: 'is' },
      { type: 'C', status: 'False', reason: 'Is', message: 'is' },
    ],
    before,
    NOW,
    'lastUpdateTime',
  );
  assert.deepEqual(
    after.map(({ type, lastUpdateTime, lastTransitionTime }) => [type, lastUpdateTime, lastTransitionTime]),
    [
      ['A', EARLIER, EARLIER],
      ['B', NOW, EARLIER],
      ['C', NOW, NOW],
    ],
  );
});

describe('a workload is up', () => {
  const cases: readonly (readonly [name: string, workload: Unstructured, up: boolean])[] = [
    ['when all replicas are ready', { metadata: {}, spec: { replicas: 2 }, status: { readyReplicas: 2 } }, true],
    ['not while one is missing', { metadata: {}, spec: { replicas: 2 }, status: { readyReplicas: 1 } }, false],
    ['not when nothing is asked for', { metadata: {}, spec: { replicas: 0 }, status: {} }, false],
    ['not before anybody looked', { metadata: {}, spec: { replicas: 2 } }, false],
    ['on every node', { metadata: {}, spec: {}, status: { desiredNumberScheduled: 3, numberReady: 3 } }, true],
    [
      'not with a node without it',
      { metadata: {}, spec: {}, status: { desiredNumberScheduled: 3, numberReady: 2 } },
      false,
    ],
    ['where there is no node', { metadata: {}, spec: {}, status: { desiredNumberScheduled: 0, numberReady: 0 } }, true],
  ];
  for (const [name, workload, up] of cases) test(name, () => assert.equal(isUp(workload), up));
});

test('KubeVirt that waits for a component says what it deploys', () => {
  const kubevirt = { metadata: { name: 'kubevirt', namespace: 'kubevirt', generation: 4 } };
  const status = kubevirtStatus(kubevirt, { ready: false, generations: [] }, NOW);
  assert.equal(status['observedGeneration'], 4);
  assert.deepEqual(
    status.conditions.map(({ type, status: state, reason }) => [type, state, reason]),
    [
      ['Available', 'False', 'DeploymentInProgress'],
      ['Progressing', 'True', 'DeploymentInProgress'],
      ['Degraded', 'True', 'DeploymentInProgress'],
      ['Created', 'True', 'AllResourcesCreated'],
    ],
  );
});

test('CDI that is complete says so', () => {
  const { phase, conditions } = cdiStatus({ metadata: { name: 'cdi' } }, true, NOW);
  assert.equal(phase, 'Deployed');
  assert.deepEqual(
    conditions.map(({ type, status }) => [type, status]),
    [
      ['Available', 'True'],
      ['Progressing', 'False'],
      ['Degraded', 'False'],
    ],
  );
});
