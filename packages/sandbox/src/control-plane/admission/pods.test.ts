/** What admission adds to a pod, and which pods it rejects. The texts are those of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SystemObjects } from '../controllers/system-objects.ts';
import type { JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { pod, refusal, TestCluster, until } from './cluster.fixture.ts';

const cluster = new TestCluster();
before(async () => {
  await cluster.namespace('default');
  await cluster.namespace('ns');
  const address = { clusterIP: '10.96.0.1', port: 6443 };
  cluster.run(new SystemObjects(cluster.store, cluster.client, address, (error) => assert.fail(String(error))));
  await until('the system classes', () => cluster.store.table('scheduling.k8s.io/priorityclasses').size === 2);
});
after(() => cluster.stop());

test('a pod gets an account, its token, tolerations and a priority', async () => {
  const spec = objectAt(await cluster.create(pod('ns', 'a')), 'spec');
  const [volume] = listAt(spec, 'volumes');
  const name = textAt(volume, 'name');
  assert.match(name, /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.deepEqual(volume?.['projected'], {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  });
  assert.deepEqual(listAt(spec, 'containers')[0]?.['volumeMounts'], [
    { name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  ]);
  assert.equal(spec?.['serviceAccountName'], 'default');
  assert.equal(spec?.['serviceAccount'], 'default');
  assert.deepEqual(spec?.['tolerations'], [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ]);
  assert.equal(spec?.['priority'], 0);
  assert.equal(spec?.['preemptionPolicy'], 'PreemptLowerPriority');
});

test('a pod that wants no token gets none', async () => {
  const spec = objectAt(await cluster.create(pod('ns', 'no-token', { automountServiceAccountToken: false })), 'spec');
  assert.equal(spec?.['volumes'], undefined);
});

test('pull secrets come from the account', async () => {
  await cluster.create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'ns', name: 'puller' },
    imagePullSecrets: [{ name: 'registry' }],
  });
  const spec = objectAt(await cluster.create(pod('ns', 'pulls', { serviceAccountName: 'puller' })), 'spec');
  assert.deepEqual(spec?.['imagePullSecrets'], [{ name: 'registry' }]);
});

test('a pod waits a moment for the default account of a new namespace', async () => {
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'late' } });
  const created = cluster.create(pod('late', 'a'));
  await cluster.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'late', name: 'default' } });
  assert.equal(objectAt(await created, 'spec')?.['serviceAccountName'], 'default');
});

test('the priority is that of the class', async () => {
  const spec = objectAt(
    await cluster.create(pod('ns', 'critical', { priorityClassName: 'system-node-critical' })),
    'spec',
  );
  assert.equal(spec?.['priority'], 2000001000);
});

const refused: { reason: string; spec: JsonObject; message: string }[] = [
  {
    reason: 'an account that does not exist',
    spec: { serviceAccountName: 'nope' },
    message: 'error looking up service account ns/nope: serviceaccount "nope" not found',
  },
  {
    reason: 'a class that does not exist',
    spec: { priorityClassName: 'nope' },
    message: 'no PriorityClass with name nope was found',
  },
  {
    reason: 'a priority of its own',
    spec: { priority: 5 },
    message:
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  },
];
for (const { reason, spec, message } of refused) {
  test(`a pod with ${reason} is refused`, async () => {
    const error = await refusal(cluster.create(pod('ns', 'b', spec)));
    assert.equal(error.code, 403);
    assert.equal(error.message, `pods "b" is forbidden: ${message}`);
  });
}

test('a pod without a name yet is refused under what its name begins with', async () => {
  const { metadata: _, ...rest } = pod('ns', '', { serviceAccountName: 'nope' });
  const error = await refusal(cluster.create({ ...rest, metadata: { namespace: 'ns', generateName: 'g-' } }));
  assert.match(error.message, /^pods "g-" is forbidden: /);
});

test('system classes stay, and there is one default class', async () => {
  const system = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
  };
  assert.equal(
    (await refusal(cluster.delete(system))).message,
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
  );
  const own = (name: string): JsonObject => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 7,
    globalDefault: true,
  });
  const first = await cluster.create(own('usual'));
  assert.match(
    (await refusal(cluster.create(own('other')))).message,
    /PriorityClass usual is already marked as default\. Only one default can exist$/,
  );
  assert.equal(objectAt(await cluster.create(pod('ns', 'usual')), 'spec')?.['priority'], 7);
  await cluster.delete(first);
});

test('the Service of the API server is there, and comes back', async () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'default', name: 'kubernetes' } };
  await until('the Service', () => cluster.find(service) !== undefined);
  const found = cluster.get(service);
  assert.deepEqual(found.metadata.labels, { component: 'apiserver', provider: 'kubernetes' });
  assert.deepEqual(objectAt(found, 'spec')?.['clusterIPs'], ['10.96.0.1']);
  await cluster.delete(service);
  await until('the Service again', () => cluster.find(service) !== undefined);
});

test('a new node is not ready', async () => {
  const node = (name: string, taints: JsonObject[]): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { taints },
  });
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  assert.deepEqual(objectAt(await cluster.create(node('a', [])), 'spec')?.['taints'], [taint]);
  assert.deepEqual(objectAt(await cluster.create(node('b', [taint])), 'spec')?.['taints'], [taint]);
});
