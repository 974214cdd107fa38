import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { listAt, objectAt } from '../../objects/kinds/values/fields.ts';
import { pod, refusal, TestCluster } from './cluster.fixture.ts';

const cluster = new TestCluster();
const limits = [
  {
    type: 'Container',
    default: { cpu: '200m' },
    max: { cpu: '500m', memory: '1Gi' },
    min: { cpu: '100m' },
    maxLimitRequestRatio: { cpu: '2' },
  },
  { type: 'PersistentVolumeClaim', max: { storage: '2Gi' }, min: { storage: '1Gi' } },
  { type: 'Pod', max: { cpu: '600m' } },
];

before(async () => {
  await cluster.namespace('ns');
  await cluster.create({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { namespace: 'ns', name: 'l' },
    spec: { limits },
  });
});

const resourcesOf = (object: KubeObject): (JsonObject | undefined)[] =>
  listAt(objectAt(object, 'spec'), 'containers').map((container) => objectAt(container, 'resources'));

test('containers get the defaults that they leave open, and a note says so', async () => {
  const created = await cluster.create(pod('ns', 'a', {}, { resources: { requests: { memory: '64Mi' } } }));
  assert.deepEqual(resourcesOf(created), [
    { limits: { cpu: '200m', memory: '1Gi' }, requests: { cpu: '200m', memory: '64Mi' } },
  ]);
  assert.equal(
    created.metadata.annotations?.['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu request for container c; cpu, memory limit for container c',
  );
});

test('a pod outside of the limits is refused with everything that is wrong', async () => {
  const resources = { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '2Gi' } };
  const error = await refusal(cluster.create(pod('ns', 'l2', {}, { resources })));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    'pods "l2" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, maximum cpu usage per Container is 500m, but limit is 1, maximum memory usage per Container is 1Gi, but limit is 2Gi, cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000, maximum cpu usage per Pod is 600m, but limit is 1]',
  );
});

const claims = [
  {
    reason: 'more than the maximum',
    storage: '3Gi',
    message: 'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
  },
  {
    reason: 'less than the minimum',
    storage: '1Mi',
    message: 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
  },
];
for (const { reason, storage, message } of claims) {
  test(`a claim for ${reason} is refused`, async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace: 'ns', name: 'c1' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    };
    assert.equal(
      (await refusal(cluster.create(claim))).message,
      `persistentvolumeclaims "c1" is forbidden: ${message}`,
    );
  });
}

test('a namespace without limits leaves pods alone', async () => {
  await cluster.namespace('free');
  const created = await cluster.create(pod('free', 'a'));
  assert.deepEqual(resourcesOf(created), [{}]);
  assert.equal(created.metadata.annotations, undefined);
});
