import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ResourceQuotaController } from '../../controllers/resource-quota.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { objectAt } from '../../../objects/kinds/values/fields.ts';
import { configMap, pod, refusal, TestCluster, until } from '../cluster.fixture.ts';

const cluster = new TestCluster();
before(() =>
  cluster.run(new ResourceQuotaController(cluster.store, cluster.client, (error) => assert.fail(String(error)))),
);
after(() => cluster.stop());

const used = (quota: KubeObject): JsonObject | undefined => objectAt(objectAt(cluster.get(quota), 'status'), 'used');

async function withQuota(namespace: string, hard: JsonObject, spec: JsonObject = {}): Promise<KubeObject> {
  await cluster.namespace(namespace);
  const quota = await cluster.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace, name: 'q' },
    spec: { hard, ...spec },
  });
  await until('the status of the quota', () => used(quota) !== undefined);
  return quota;
}

const sized = (cpu: string, memory: string): JsonObject => ({ resources: { requests: { cpu }, limits: { memory } } });

test('a quota shows its limits and what is used of them, and leaves out what is not measured', async () => {
  const quota = await withQuota('shown', {
    pods: '2',
    'requests.cpu': '1',
    'count/configmaps': '3',
    'count/nothings.example.com': '2',
  });
  const status = objectAt(cluster.get(quota), 'status');
  assert.deepEqual(status?.['hard'], {
    pods: '2',
    'requests.cpu': '1',
    'count/configmaps': '3',
    'count/nothings.example.com': '2',
  });
  assert.deepEqual(status?.['used'], { pods: '0', 'requests.cpu': '0', 'count/configmaps': '0' });
});

test('a pod must name what a quota measures', async () => {
  await withQuota('named', { 'requests.cpu': '1', 'limits.memory': '1Gi' });
  const error = await refusal(cluster.create(pod('named', 'a')));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
  );
});

test('a write that would exceed a quota is refused with what was asked, used and allowed', async () => {
  const quota = await withQuota('full', { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
  await cluster.create(pod('full', 'a', {}, sized('300m', '64Mi')));
  const large = await refusal(cluster.create(pod('full', 'b', {}, sized('2', '2Gi'))));
  assert.equal(
    large.message,
    'pods "b" is forbidden: exceeded quota: q, requested: limits.memory=2Gi,requests.cpu=2, used: limits.memory=64Mi,requests.cpu=300m, limited: limits.memory=1Gi,requests.cpu=1',
  );
  await cluster.create(pod('full', 'b', {}, sized('300m', '64Mi')));
  for (const dryRun of [false, true]) {
    const error = await refusal(cluster.create(pod('full', 'c', {}, sized('300m', '64Mi')), { dryRun }));
    assert.equal(
      error.message,
      'pods "c" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
  }
  assert.deepEqual(used(quota), { pods: '2', 'requests.cpu': '600m', 'limits.memory': '128Mi' });
});

test('a dry run is not charged', async () => {
  const quota = await withQuota('dry', { configmaps: '1' });
  await cluster.create(configMap('dry', 'a'), { dryRun: true });
  assert.deepEqual(used(quota), { configmaps: '0' });
});

test('creates at the same time cannot take more than there is', async () => {
  const quota = await withQuota('race', { 'count/widgets.example.com': '5' });
  const widget = (name: string): KubeObject => ({
    apiVersion: 'example.com/v1beta1',
    kind: 'Widget',
    metadata: { namespace: 'race', name },
  });
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => cluster.create(widget(`w${i}`))));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
  assert.deepEqual(used(quota), { 'count/widgets.example.com': '5' });
});

test('usage goes down when an object is deleted and when a pod has ended', async () => {
  const quota = await withQuota('freed', { pods: '2', 'count/pods': '2' });
  const [first, second] = [await cluster.create(pod('freed', 'a')), await cluster.create(pod('freed', 'b'))];
  await cluster.delete(first);
  await until(
    'the deleted pod to be given back',
    () => used(quota)?.['pods'] === '1' && used(quota)?.['count/pods'] === '1',
  );
  await cluster.update(
    second,
    (live) => (live['status'] = { ...objectAt(live, 'status'), phase: 'Succeeded' }),
    'status',
  );
  await until('the ended pod to be given back', () => used(quota)?.['pods'] === '0');
  assert.equal(used(quota)?.['count/pods'], '1');
});

test('a change of the limits is taken over', async () => {
  const quota = await withQuota('changed', { configmaps: '1' });
  await cluster.create(configMap('changed', 'a'));
  await cluster.update(quota, (live) => (live['spec'] = { hard: { configmaps: '2', secrets: '1' } }));
  await until('the new limits', () => used(quota)?.['secrets'] === '0');
  assert.deepEqual(used(quota), { configmaps: '1', secrets: '0' });
  await cluster.create(configMap('changed', 'b'));
});

test('services are counted by their type, and an update is charged for what grows', async () => {
  const quota = await withQuota('services', {
    services: '2',
    'services.nodeports': '1',
    'services.loadbalancers': '0',
  });
  const service = await cluster.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'services', name: 's' },
    spec: { ports: [{ port: 80, name: 'a' }] },
  });
  await cluster.update(service, (live) => ((objectAt(live, 'spec') ?? {})['type'] = 'NodePort'));
  assert.deepEqual(used(quota), { services: '1', 'services.nodeports': '1', 'services.loadbalancers': '0' });
  const error = await refusal(
    cluster.update(service, (live) => ((objectAt(live, 'spec') ?? {})['type'] = 'LoadBalancer')),
  );
  assert.equal(
    error.message,
    'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
  );
});

test('storage is counted, alone and by its class', async () => {
  const name = 'gold.storageclass.storage.k8s.io/requests.storage';
  const quota = await withQuota('claims', { 'requests.storage': '5Gi', [name]: '2Gi', persistentvolumeclaims: '9' });
  const claim = (claimName: string, storage: string, storageClassName: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: 'claims', name: claimName },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
  });
  await cluster.create(claim('a', '1Gi', 'gold'));
  await cluster.create(claim('b', '3Gi', 'tin'));
  assert.deepEqual(used(quota), { 'requests.storage': '4Gi', [name]: '1Gi', persistentvolumeclaims: '2' });
  const error = await refusal(cluster.create(claim('c', '2Gi', 'gold')));
  assert.match(
    error.message,
    /requested: gold\.storageclass\.storage\.k8s\.io\/requests\.storage=2Gi,requests\.storage=2Gi, used: /,
  );
});

test('a scope lets a quota see only some pods', async () => {
  const quota = await withQuota('scoped', { pods: '1' }, { scopes: ['BestEffort'] });
  await cluster.create(pod('scoped', 'a', {}, sized('1', '1Gi')));
  await cluster.create(pod('scoped', 'b'));
  assert.deepEqual(used(quota), { pods: '1' });
  assert.match((await refusal(cluster.create(pod('scoped', 'c')))).message, /exceeded quota: q, requested: pods=1/);
  await cluster.create(pod('scoped', 'd', {}, sized('1', '1Gi')));
});

test('the charge belongs to the API server, the count to the controller', async () => {
  const quota = await withQuota('owned', { configmaps: '2', secrets: '1' });
  await cluster.create(configMap('owned', 'a'));
  const owners = cluster.get(quota).metadata.managedFields ?? [];
  const own = (manager: string): (typeof owners)[number] | undefined =>
    owners.find((entry) => entry.manager === manager);
  assert.equal(own('kube-apiserver')?.subresource, 'status');
  assert.deepEqual(own('kube-apiserver')?.fieldsV1, { 'f:status': { 'f:used': { 'f:configmaps': {} } } });
  assert.equal(own('kube-controller-manager')?.subresource, 'status');
});
