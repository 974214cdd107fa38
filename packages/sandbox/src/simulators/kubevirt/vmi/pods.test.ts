import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, podOf, runningPod, vmiOf } from './builders.fixture.ts';
import { currentPod, imageError, isDownOrGoingDown, isFailedOrGoingDown, isReady } from './pods.ts';

const container = (name: string, state: object, ready = false): { name: string; ready: boolean; state: object } => ({
  name,
  ready,
  state,
});
const withContainers = (...containerStatuses: ReturnType<typeof container>[]): ReturnType<typeof podOf> =>
  podOf({ status: { phase: 'Running', containerStatuses: containerStatuses as never } });

for (const { name, pod, ready, down, failed } of [
  { name: 'a pod that waits', pod: podOf(), ready: false, down: false, failed: false },
  { name: 'a pod that runs', pod: runningPod(), ready: true, down: false, failed: false },
  {
    name: 'a pod whose guest is not ready',
    pod: withContainers(container('compute', { running: {} })),
    ready: true,
    down: false,
    failed: false,
  },
  {
    name: 'a pod with a sidecar that is not ready',
    pod: withContainers(container('compute', { running: {} }), container('hook', { running: {} })),
    ready: false,
    down: false,
    failed: false,
  },
  {
    name: 'a pod that is being deleted',
    pod: runningPod([], { deletionTimestamp: NOW }),
    ready: false,
    down: true,
    failed: true,
  },
  {
    name: 'a pod whose launcher ended well',
    pod: withContainers(container('compute', { terminated: { exitCode: 0 } })),
    ready: false,
    down: true,
    failed: false,
  },
  {
    name: 'a pod whose launcher ended badly',
    pod: withContainers(container('compute', { terminated: { exitCode: 1 } })),
    ready: false,
    down: true,
    failed: true,
  },
  {
    name: 'a pod that succeeded',
    pod: podOf({ status: { phase: 'Succeeded' } }),
    ready: false,
    down: true,
    failed: false,
  },
  { name: 'a pod that failed', pod: podOf({ status: { phase: 'Failed' } }), ready: false, down: true, failed: true },
])
  test(`${name} is ${ready ? '' : 'not '}ready, ${down ? '' : 'not '}down`, () => {
    assert.deepEqual([isReady(pod), isDownOrGoingDown(pod), isFailedOrGoingDown(pod)], [ready, down, failed]);
  });

const old = podOf({
  metadata: { uid: 'old', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { nodeName: 'node01' },
});
const young = podOf({
  metadata: { uid: 'young', creationTimestamp: '2026-01-01T00:01:00Z' },
  spec: { nodeName: 'node02' },
});

test('the current pod is the newest', () => {
  assert.equal(currentPod(vmiOf(), [young, old])?.metadata.uid, 'young');
  assert.equal(currentPod(vmiOf(), []), undefined);
});

test('the current pod of a VMI that has a node is on it, and no target of a migration', () => {
  assert.equal(
    currentPod(vmiOf({ status: { phase: 'Running', nodeName: 'node01' } }), [old, young])?.metadata.uid,
    'old',
  );
});

test('an image that cannot be pulled is found in init containers, too', () => {
  const waiting = [
    { name: 'volumedisk', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } },
  ];
  const pod = podOf({ status: { phase: 'Pending', initContainerStatuses: waiting } });
  assert.deepEqual(imageError(pod), { reason: 'ImagePullBackOff', message: 'no such image' });
  assert.equal(imageError(runningPod()), undefined);
});
