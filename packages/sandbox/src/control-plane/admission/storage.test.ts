import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StorageProtectionController } from '../controllers/storage-protection.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { objectAt } from '../../objects/kinds/values/fields.ts';
import { pod, refusal, TestCluster, until } from './cluster.fixture.ts';

const cluster = new TestCluster();
before(async () => {
  await cluster.namespace('ns');
  cluster.run(new StorageProtectionController(cluster.store, cluster.client, (error) => assert.fail(String(error))));
});
after(() => cluster.stop());

const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'ns', name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const storageClass = (
  name: string,
  rest: JsonObject = {},
  annotations: { [key: string]: string } = {},
): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations },
  provisioner: 'example.com/p',
  ...rest,
});

test('a claim without a class gets the default one, and one that wants none keeps none', async () => {
  assert.equal(objectAt(await cluster.create(claim('before')), 'spec')?.['storageClassName'], undefined);
  await cluster.create(storageClass('usual', {}, { 'storageclass.kubernetes.io/is-default-class': 'true' }));
  assert.equal(objectAt(await cluster.create(claim('after')), 'spec')?.['storageClassName'], 'usual');
  assert.equal(
    objectAt(await cluster.create(claim('none', { storageClassName: '' })), 'spec')?.['storageClassName'],
    '',
  );
});

test('a claim that is not in use goes at once', async () => {
  const created = await cluster.create(claim('idle'));
  assert.deepEqual(created.metadata.finalizers, ['kubernetes.io/pvc-protection']);
  await cluster.delete(created);
  await until('the claim to be gone', () => cluster.find(created) === undefined);
});

test('a claim that a pod on a node uses stays until the pod is gone', async () => {
  const created = await cluster.create(claim('busy'));
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'busy' } }];
  const user = await cluster.create(pod('ns', 'user', { nodeName: 'n', volumes }));
  await cluster.delete(created);
  // The controller handles the next claim after this one.
  const idle = await cluster.create(claim('idle-too'));
  await cluster.delete(idle);
  await until('the other claim to be gone', () => cluster.find(idle) === undefined);
  assert.ok(cluster.get(created).metadata.deletionTimestamp !== undefined);
  await cluster.delete(user);
  await until('the claim to be gone', () => cluster.find(created) === undefined);
});

test('a protection that was taken away comes back', async () => {
  const created = await cluster.create(claim('bare'));
  await cluster.update(created, ({ metadata }) => delete metadata.finalizers);
  await until('the finalizer', () => cluster.get(created).metadata.finalizers?.length === 1);
});

test('a volume stays while it is bound', async () => {
  const volume = await cluster.create({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/pv' } },
  });
  assert.deepEqual(volume.metadata.finalizers, ['kubernetes.io/pv-protection']);
  const phase = (to: string): Promise<KubeObject> =>
    cluster.update(volume, (live) => (live['status'] = { ...objectAt(live, 'status'), phase: to }), 'status');
  await phase('Bound');
  await cluster.delete(volume);
  assert.ok(cluster.get(volume).metadata.deletionTimestamp !== undefined);
  await phase('Released');
  await until('the volume to be gone', () => cluster.find(volume) === undefined);
});

test('only a class that says so lets a bound claim grow', async () => {
  await cluster.create(storageClass('fixed'));
  await cluster.create(storageClass('elastic', { allowVolumeExpansion: true }));
  const grown = async (name: string, storageClassName: string): Promise<KubeObject> => {
    const created = await cluster.create(claim(name, { storageClassName, volumeName: 'v' }));
    await cluster.update(
      created,
      (live) => (live['status'] = { ...objectAt(live, 'status'), phase: 'Bound' }),
      'status',
    );
    return cluster.update(
      created,
      (live) => ((objectAt(live, 'spec') ?? {})['resources'] = { requests: { storage: '2Gi' } }),
    );
  };
  assert.equal(
    (await refusal(grown('stiff', 'fixed'))).message,
    'persistentvolumeclaims "stiff" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
  assert.deepEqual(objectAt(await grown('soft', 'elastic'), 'spec')?.['resources'], { requests: { storage: '2Gi' } });
});
