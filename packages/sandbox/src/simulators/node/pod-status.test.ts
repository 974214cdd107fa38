import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import type { Pod, VirtualMachineInstance } from '../kubevirt/objects.ts';
import { Addresses } from './addresses.ts';
import { imageId } from './container-status.ts';
import { fateOf, type Fate } from './launcher.ts';
import { Ledger } from './ledger.ts';
import { creatingStatus, endedStatus, pullingStatus, readyAgain, runningStatus } from './pod-status.ts';

const NOW = '2026-11-15T12:00:00Z';
const GATE = 'kubevirt.io/virtual-machine-unpaused';

const launcher = (status: JsonObject = {}, metadata: JsonObject = {}): Pod => ({
  metadata: { name: 'p', namespace: 'ns', uid: 'p', labels: { 'kubevirt.io/created-by': 'u' }, ...metadata },
  spec: {
    nodeName: 'node01',
    initContainers: [
      { name: 'guest-console-log', image: 'virt-launcher:v1', restartPolicy: 'Always' },
      { name: 'volumerootdisk', image: 'disk:demo' },
    ],
    containers: [{ name: 'compute', image: 'virt-launcher:v1', resources: { requests: { cpu: '1' } } }],
    readinessGates: [{ conditionType: GATE }],
  },
  status: { phase: 'Pending', ...status },
});

const brief = (status: JsonObject, list: string): readonly string[] =>
  (status[list] as JsonObject[]).map(
    (one) =>
      `${String(one['name'] ?? one['type'])} ${Object.keys((one['state'] as object | undefined) ?? {}).join()}${String(one['status'] ?? '')}`,
  );

test('containers are created, then run, then end', () => {
  const creating = creatingStatus(launcher(), '192.168.66.12', NOW);
  assert.deepEqual(brief(creating, 'containerStatuses'), ['compute waiting']);
  assert.equal(creating['startTime'], NOW);
  const running = runningStatus(
    launcher({ conditions: [{ type: GATE, status: 'True' }] }),
    { hostIP: 'h', podIP: 'i' },
    NOW,
  );
  assert.deepEqual(brief(running, 'initContainerStatuses'), ['guest-console-log running', 'volumerootdisk terminated']);
  assert.deepEqual(brief(running, 'conditions'), [
    'PodScheduled True',
    'PodReadyToStartContainers True',
    'Initialized True',
    'ContainersReady True',
    'Ready True',
  ]);
  const ended = endedStatus(launcher({ phase: 'Running' }), 'Failed', NOW);
  assert.deepEqual(brief(ended, 'conditions'), ['ContainersReady False', 'Ready False']);
  assert.deepEqual((ended['containerStatuses'] as JsonObject[])[0]?.['state'], {
    terminated: { exitCode: 1, reason: 'Error', startedAt: NOW, finishedAt: NOW },
  });
});

test('an image that cannot be pulled is reported for the main container', () => {
  const status = pullingStatus(launcher(), 'ImagePullBackOff', 'Back-off pulling image "disk:demo"');
  assert.deepEqual((status['containerStatuses'] as JsonObject[])[0]?.['state'], {
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "disk:demo"' },
  });
  assert.match(imageId('host/a/disk:demo'), /^host\/a\/disk@sha256:[0-9a-f]{64}$/);
  assert.equal(imageId('disk@sha256:00'), 'disk@sha256:00');
});

test('a pod is ready when its gates are', () => {
  const cases: readonly (readonly [gate: string | undefined, was: string, expected: string | undefined])[] = [
    [undefined, 'True', `corresponding condition of pod readiness gate "${GATE}" does not exist.`],
    ['False', 'True', `corresponding condition of pod readiness gate "${GATE}" is not "True".`],
    ['True', 'True', undefined],
    ['True', 'False', 'ready'],
  ];
  for (const [gate, was, expected] of cases) {
    const conditions = [{ type: 'Ready', status: was }, ...(gate === undefined ? [] : [{ type: GATE, status: gate }])];
    const patch = readyAgain(launcher({ phase: 'Running', conditions }), NOW);
    const condition = (patch?.['conditions'] as JsonObject[] | undefined)?.[0];
    assert.equal(condition === undefined ? undefined : (condition['message'] ?? 'ready'), expected);
  }
});

test('a launcher lives and ends with its guest', () => {
  const vmi = (
    status: JsonObject,
    rest: { metadata?: JsonObject; spec?: JsonObject } = {},
  ): VirtualMachineInstance => ({
    metadata: { uid: 'u', ...rest.metadata },
    spec: { domain: {}, ...rest.spec },
    status: { nodeName: 'node01', ...status },
  });
  const failedAt = (time: string): JsonObject => ({
    phase: 'Failed',
    phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: time }],
  });
  const deleted = { metadata: { deletionTimestamp: NOW } };
  const moved = { nodeName: 'node02', phase: 'Running', migrationState: { completed: true, sourcePod: 'p' } };
  const cases: readonly (readonly [reason: string, vmi: VirtualMachineInstance | undefined, fate: Fate])[] = [
    ['it runs', vmi({ phase: 'Running' }), 'lives'],
    ['it is about to', vmi({ phase: 'Scheduled' }), 'lives'],
    ['it is not there yet', vmi({ phase: 'Scheduling' }), 'empty'],
    ['it is gone', undefined, 'empty'],
    ['it is another of the same name', { ...vmi({ phase: 'Running' }), metadata: { uid: 'v' } }, 'empty'],
    ['it shut down', vmi({ phase: 'Succeeded' }), { ended: 'Succeeded' }],
    ['it crashed', vmi(failedAt(NOW)), { ended: 'Failed' }],
    ['it crashed and was deleted for it', vmi(failedAt(NOW), deleted), { ended: 'Failed' }],
    [
      'it was asked to end and had to be killed',
      vmi(failedAt('2026-11-15T12:00:30Z'), deleted),
      { ended: 'Succeeded' },
    ],
    [
      'it was killed at once',
      vmi(failedAt(NOW), { ...deleted, spec: { terminationGracePeriodSeconds: 0 } }),
      { ended: 'Succeeded' },
    ],
    ['it has moved away', vmi(moved), { ended: 'Succeeded' }],
    [
      'its move failed',
      vmi({ phase: 'Running', migrationState: { completed: true, failed: true, sourcePod: 'p' } }),
      'lives',
    ],
  ];
  for (const [reason, of, fate] of cases) assert.deepEqual(fateOf(launcher(), of), fate, reason);
});

test('an address is given once, kept, and found again in the status', () => {
  const addresses = new Addresses();
  const first = addresses.give('a', 'node01');
  assert.equal(first, '10.128.0.10');
  assert.equal(addresses.give('a', 'node01'), first);
  assert.equal(addresses.give('b', 'node01'), '10.128.0.11');
  assert.equal(addresses.give('c', 'node02'), '10.128.16.10');
  addresses.saw(launcher({ podIP: '10.128.0.12' }, { uid: 'seen' }));
  assert.equal(addresses.give('d', 'node01'), '10.128.0.13');
  addresses.release('a');
  const given = new Set(Array.from({ length: 4082 }, (_, index) => addresses.give(`x${index}`, 'node01')));
  assert.equal(given.size, 4082);
  assert.ok(given.has(first), 'one that was given back is given again');
});

test('the ledger knows what is taken of a node', () => {
  const ledger = new Ledger();
  ledger.saw(launcher());
  assert.deepEqual(ledger.taken('node01'), { cpu: 1, pods: 1 });
  ledger.take('other', 'node01', { cpu: 2 });
  assert.equal(ledger.taken('node01')['cpu'], 3);
  assert.equal(ledger.saw(launcher({ phase: 'Succeeded' })), true, 'one that has ended frees its place');
  assert.equal(ledger.taken('node01')['cpu'], 2);
  assert.equal(ledger.release('other'), true);
  assert.equal(ledger.release('other'), false);
  assert.equal(ledger.taken('node01')['cpu'], 0);
});
