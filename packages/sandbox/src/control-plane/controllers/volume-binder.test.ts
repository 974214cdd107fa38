/** Claims and volumes, bound as kube-controller-manager 1.36.3 bound the same objects. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pod, TestCluster, until } from '../admission/cluster.fixture.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { VolumeBinder } from './volume-binder.ts';
import { phaseOf } from './volume-match.ts';

const cluster = new TestCluster();
before(async () => {
  await cluster.namespace('ns');
  for (const [name, volumeBindingMode] of [
    ['std', 'Immediate'],
    ['wffc', 'WaitForFirstConsumer'],
  ] as const)
    await cluster.create({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      provisioner: 'example-provisioner',
      volumeBindingMode,
    });
  cluster.run(new VolumeBinder(cluster.store, cluster.client, (error) => assert.fail(String(error))));
});
after(() => cluster.stop());

const claim = (name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'ns', name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    storageClassName: 'std',
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});

const volume = (name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    csi: { driver: 'example', volumeHandle: name },
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: 'std',
    volumeMode: 'Filesystem',
    ...spec,
  },
});

const phase = (object: KubeObject): string => phaseOf(cluster.get(object));
const reaches = (object: KubeObject, wanted: string): Promise<void> =>
  until(`${object.metadata.name ?? ''} ${wanted}`, () => phase(object) === wanted);

function messages(of: string): readonly string[] {
  return cluster.client
    .list(cluster.client.builtin('', 'v1', 'events'), 'ns')
    .filter((event) => textAt(objectAt(event, 'involvedObject'), 'name') === of)
    .map((event) => `${textAt(event, 'type')} ${textAt(event, 'reason')}: ${textAt(event, 'message')}`);
}

test('a claim of a class with a provisioner is annotated for it, and says what is waited for', async () => {
  const wanted = await cluster.create(claim('waits'));
  await until('the event', () => messages('waits').length > 0);
  assert.equal(phase(wanted), 'Pending');
  assert.deepEqual(cluster.get(wanted).metadata.annotations, {
    'volume.beta.kubernetes.io/storage-provisioner': 'example-provisioner',
    'volume.kubernetes.io/storage-provisioner': 'example-provisioner',
  });
  assert.deepEqual(messages('waits'), [
    "Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'example-provisioner' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
  ]);
});

test('a volume that names a claim is bound to it', async () => {
  const wanted = await cluster.create(claim('named'));
  const { uid = '' } = wanted.metadata;
  const made = await cluster.create(
    volume('pv-named', {
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'named', uid },
    }),
  );
  await reaches(wanted, 'Bound');
  await reaches(made, 'Bound');
  const bound = cluster.get(wanted);
  assert.equal(textAt(objectAt(bound, 'spec'), 'volumeName'), 'pv-named');
  assert.equal(bound.metadata.annotations?.['pv.kubernetes.io/bind-completed'], 'yes');
  assert.equal(bound.metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes');
  assert.deepEqual(bound['status'], { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
  assert.equal(cluster.get(made).metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], undefined);
});

test('a volume of a claim that has gone is released, and binds to no other claim', async () => {
  const wanted = await cluster.create(claim('goes', { storageClassName: 'by-hand' }));
  const made = await cluster.create(volume('pv-goes', { storageClassName: 'by-hand' }));
  await reaches(wanted, 'Bound');
  assert.equal(cluster.get(made).metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes');
  await cluster.delete(wanted);
  await cluster.update(wanted, ({ metadata }) => delete metadata.finalizers);
  await reaches(made, 'Released');
  const next = await cluster.create(claim('goes', { storageClassName: 'by-hand' }));
  await until('the event', () => messages('goes').length > 0);
  assert.equal(phase(next), 'Pending');
  assert.equal(phase(made), 'Released');
});

test('without a class the smallest free volume that fits is taken', async () => {
  const bare = { storageClassName: '' };
  await cluster.create(volume('pv-5', { ...bare, capacity: { storage: '5Gi' } }));
  await cluster.create(volume('pv-2', { ...bare, capacity: { storage: '2Gi' } }));
  await cluster.create(volume('pv-1', { ...bare, capacity: { storage: '1Gi' } }));
  await cluster.create(volume('pv-3-block', { ...bare, capacity: { storage: '3Gi' }, volumeMode: 'Block' }));
  for (const name of ['pv-5', 'pv-2', 'pv-1', 'pv-3-block']) await reaches(volume(name), 'Available');
  const wanted = await cluster.create(claim('any', { ...bare, resources: { requests: { storage: '1500Mi' } } }));
  await reaches(wanted, 'Bound');
  assert.equal(textAt(objectAt(cluster.get(wanted), 'spec'), 'volumeName'), 'pv-2');
  assert.deepEqual(objectAt(cluster.get(wanted), 'status')?.['capacity'], { storage: '2Gi' });
  const larger = await cluster.create(claim('larger', { ...bare, resources: { requests: { storage: '9Gi' } } }));
  await until('the event', () => messages('larger').length > 0);
  assert.equal(phase(larger), 'Pending');
  assert.deepEqual(messages('larger'), [
    'Normal FailedBinding: no persistent volumes available for this claim and no storage class is set',
  ]);
});

test('a claim that waits for a consumer is left alone until a node is chosen', async () => {
  const wanted = await cluster.create(claim('late', { storageClassName: 'wffc' }));
  await until('the first event', () => messages('late').length === 1);
  assert.deepEqual(messages('late'), [
    'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
  ]);
  assert.equal(cluster.get(wanted).metadata.annotations, undefined);
  await cluster.create(
    pod('ns', 'consumer', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'late' } }] }),
  );
  await until('the second event', () => messages('late').length === 2);
  assert.ok(messages('late').includes('Normal WaitForPodScheduled: waiting for pod consumer to be scheduled'));
  await cluster.update(wanted, ({ metadata }) => {
    metadata.annotations = { 'volume.kubernetes.io/selected-node': 'node01' };
  });
  await until(
    'the provisioner',
    () => cluster.get(wanted).metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] !== undefined,
  );
});

test('a claim says that its class or its volume is missing', async () => {
  await cluster.create(claim('classless', { storageClassName: 'nowhere' }));
  await until('the event', () => messages('classless').length > 0);
  assert.deepEqual(messages('classless'), [
    'Warning ProvisioningFailed: storageclass.storage.k8s.io "nowhere" not found',
  ]);
  const wanted = await cluster.create(claim('robbed', { storageClassName: '', volumeName: 'pv-robbed' }));
  const made = await cluster.create(volume('pv-robbed', { storageClassName: '' }));
  await reaches(wanted, 'Bound');
  assert.equal(cluster.get(wanted).metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], undefined);
  await cluster.delete(made);
  await cluster.update(made, (live) => {
    delete live.metadata.finalizers;
    ensureObject(live, 'spec');
  });
  await reaches(wanted, 'Lost');
  assert.deepEqual(messages('robbed'), [
    'Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  ]);
});

test('a claim that came before the default class gets that when it comes, one that wants none does not', async (t) => {
  // No existing volume is that large.
  const resources = { requests: { storage: '500Gi' } };
  const { storageClassName: _, ...spec } = claim('', { resources })['spec'] as JsonObject;
  const early = await cluster.create({ ...claim('early'), spec });
  const without = await cluster.create(claim('without', { storageClassName: '', resources }));
  await until('both wait', () => messages('early').length > 0 && messages('without').length > 0);
  const usual = await cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'usual', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'usual-provisioner',
    volumeBindingMode: 'Immediate',
  });
  t.after(() => cluster.delete(usual));
  const provisioner = (of: KubeObject): string | undefined =>
    cluster.get(of).metadata.annotations?.['volume.kubernetes.io/storage-provisioner'];
  await until('the provisioner is told', () => provisioner(early) === 'usual-provisioner');
  assert.equal(textAt(objectAt(cluster.get(early), 'spec'), 'storageClassName'), 'usual');
  assert.equal(textAt(objectAt(cluster.get(without), 'spec'), 'storageClassName'), '');
  assert.equal(provisioner(without), undefined);
});
