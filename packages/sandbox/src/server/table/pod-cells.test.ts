import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, KubeObject, ObjectMeta } from '../../values/json.ts';
import { sinceFrom } from './duration.ts';
import { podCells, podConditions } from './pod-cells.ts';

const since = sinceFrom(new Date('2026-01-01T00:10:00Z'));

const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const waiting = (reason?: string): JsonObject => ({ waiting: reason === undefined ? {} : { reason } });
const exited = (exitCode: number, more: JsonObject = {}): JsonObject => ({ terminated: { exitCode, ...more } });
const restarted = { restartCount: 2, lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:09:00Z' } } };

interface Containers {
  main?: JsonObject[];
  init?: JsonObject[];
  status?: JsonObject;
  metadata?: ObjectMeta;
}

/** A pod with the given container statuses; those of init containers include the restart policy. */
function pod({
  main = [{ ready: true, state: running }],
  init = [],
  status = {},
  metadata = {},
}: Containers): KubeObject {
  const named = (prefix: string, list: JsonObject[]): JsonObject[] =>
    list.map((entry, i) => ({ name: `${prefix}${i}`, ...entry }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: {
      containers: named('c', main),
      initContainers: named('i', init).map(({ name, restartPolicy }) => ({ name, restartPolicy })),
    },
    status: {
      phase: 'Running',
      initContainerStatuses: named('i', init),
      containerStatuses: named('c', main),
      ...status,
    },
  };
}

const deleted: ObjectMeta = { deletionTimestamp: '2026-01-01T00:09:00Z' };
const sidecar = { restartPolicy: 'Always', started: true, ready: true, state: running };

const cases: { reason: string; pod: Containers; shown: [ready: string, status: string, restarts: string] }[] = [
  { reason: 'runs', pod: {}, shown: ['1/1', 'Running', '0'] },
  {
    reason: 'has no statuses yet',
    pod: { status: { phase: 'Pending', containerStatuses: [] } },
    shown: ['0/1', 'Pending', '0'],
  },
  {
    reason: 'was evicted',
    pod: { main: [{}], status: { phase: 'Failed', reason: 'Evicted', containerStatuses: [] } },
    shown: ['0/1', 'Evicted', '0'],
  },
  {
    reason: 'is gated',
    pod: {
      main: [{}],
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    },
    shown: ['0/1', 'SchedulingGated', '0'],
  },
  {
    reason: 'waits',
    pod: { main: [{ state: waiting('ContainerCreating') }] },
    shown: ['0/1', 'ContainerCreating', '0'],
  },
  {
    reason: 'crashes',
    pod: { main: [{ state: waiting('CrashLoopBackOff'), ...restarted }] },
    shown: ['0/1', 'CrashLoopBackOff', '2 (60s ago)'],
  },
  {
    reason: 'speaks of its first container',
    pod: { main: [{ state: waiting('ErrImagePull') }, { state: waiting('CrashLoopBackOff') }] },
    shown: ['0/2', 'ErrImagePull', '0'],
  },
  {
    reason: 'ended by a signal',
    pod: { main: [{ state: exited(137, { signal: 9 }) }] },
    shown: ['0/1', 'Signal:9', '0'],
  },
  { reason: 'ended with a code', pod: { main: [{ state: exited(3) }] }, shown: ['0/1', 'ExitCode:3', '0'] },
  {
    reason: 'completed',
    pod: { main: [{ state: exited(0, { reason: 'Completed' }) }], status: { phase: 'Succeeded' } },
    shown: ['0/1', 'Completed', '0'],
  },
  {
    reason: 'completed in part and is ready',
    pod: {
      main: [{ state: exited(0, { reason: 'Completed' }) }, { ready: true, state: running }],
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    shown: ['1/2', 'Running', '0'],
  },
  {
    reason: 'completed in part and is not ready',
    pod: { main: [{ state: exited(0, { reason: 'Completed' }) }, { ready: true, state: running }] },
    shown: ['1/2', 'NotReady', '0'],
  },
  {
    reason: 'completed in part and failed in part',
    pod: { main: [{ state: exited(0, { reason: 'Completed' }) }, { state: exited(1, { reason: 'Error' }) }] },
    shown: ['0/2', 'Error', '0'],
  },
  {
    reason: 'initialises',
    pod: { init: [{ state: exited(0) }, { state: running }], main: [{ state: waiting('PodInitializing') }] },
    shown: ['0/1', 'Init:1/2', '0'],
  },
  {
    reason: 'waits for an init container',
    pod: { init: [{ state: waiting('ImagePullBackOff') }], main: [{}] },
    shown: ['0/1', 'Init:ImagePullBackOff', '0'],
  },
  {
    reason: 'has an init container that failed',
    pod: { init: [{ state: exited(1, { reason: 'Error' }), ...restarted }], main: [{}] },
    shown: ['0/1', 'Init:Error', '2 (60s ago)'],
  },
  {
    reason: 'has an init container that was killed',
    pod: { init: [{ state: exited(137, { signal: 9 }) }], main: [{}] },
    shown: ['0/1', 'Init:Signal:9', '0'],
  },
  {
    reason: 'has an init container that gave a code',
    pod: { init: [{ state: exited(2) }], main: [{}] },
    shown: ['0/1', 'Init:ExitCode:2', '0'],
  },
  {
    reason: 'is initialised by its condition',
    pod: { init: [{ state: running }], status: { conditions: [{ type: 'Initialized', status: 'True' }] } },
    shown: ['1/1', 'Init:0/1', '0'],
  },
  { reason: 'has a sidecar', pod: { init: [sidecar] }, shown: ['2/2', 'Running', '0'] },
  {
    reason: 'counts restarts of sidecars, not of other init containers',
    pod: {
      init: [
        { ...sidecar, ...restarted },
        { state: exited(0), restartCount: 5 },
      ],
    },
    shown: ['2/2', 'Running', '2 (60s ago)'],
  },
  {
    reason: 'has a sidecar that has not started',
    pod: { init: [{ ...sidecar, started: false }], main: [{}] },
    shown: ['0/2', 'Init:0/1', '0'],
  },
  { reason: 'is being deleted', pod: { metadata: deleted }, shown: ['1/1', 'Terminating', '0'] },
  {
    reason: 'is being deleted on a lost node',
    pod: { metadata: deleted, status: { reason: 'NodeLost' } },
    shown: ['1/1', 'Unknown', '0'],
  },
  {
    reason: 'is being deleted after it failed',
    pod: { metadata: deleted, main: [{ state: exited(1, { reason: 'Error' }) }], status: { phase: 'Failed' } },
    shown: ['0/1', 'Error', '0'],
  },
];

for (const { reason, pod: containers, shown } of cases) {
  test(`a pod that ${reason} is shown as ${shown.join(' | ')}`, () => {
    assert.deepEqual(podCells(pod(containers), since).slice(1, 4), shown);
  });
}

test('the wide columns of a pod are none where nothing is known', () => {
  assert.deepEqual(podCells(pod({}), since).slice(4), ['10m', '<none>', '<none>', '<none>', '<none>']);
});

test('the wide columns of a pod show where it runs and how many gates it passed', () => {
  const object = pod({
    status: { podIPs: [{ ip: '10.0.0.1' }], nominatedNodeName: 'n2', conditions: [{ type: 'x.io/a', status: 'True' }] },
  });
  Object.assign(object['spec'] as JsonObject, {
    nodeName: 'n1',
    readinessGates: [{ conditionType: 'x.io/a' }, { conditionType: 'x.io/b' }],
  });
  assert.deepEqual(podCells(object, since).slice(5), ['10.0.0.1', 'n1', 'n2', '1/2']);
});

test('the row of a finished pod says so in a condition', () => {
  assert.equal(podConditions(pod({})), undefined);
  assert.deepEqual(podConditions(pod({ status: { phase: 'Failed' } })), [
    { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
  ]);
  assert.deepEqual(podConditions(pod({ status: { phase: 'Succeeded' } })), [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ]);
});
