/** The status of budgets, as kube-controller-manager 1.36.3 wrote it for the same objects. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pod, TestCluster, until } from '../admission/cluster.fixture.ts';
import type { Json, JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, objectAt } from '../../objects/kinds/values/fields.ts';
import { DisruptionController } from './disruption.ts';

const cluster = new TestCluster();
before(async () => {
  await cluster.namespace('ns');
  cluster.run(new DisruptionController(cluster.store, cluster.client, (error) => assert.fail(String(error))));
});
after(() => cluster.stop());

const budget = (app: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace: 'ns', name: app },
  spec: { selector: { matchLabels: { app } }, ...spec },
});

async function runPod(name: string, app: string, owner?: JsonObject, ready = true): Promise<KubeObject> {
  const wanted = pod('ns', name, { nodeName: 'n' });
  wanted.metadata.labels = { app };
  const owners = owner === undefined ? {} : { ownerReferences: [{ controller: true, ...owner }] };
  const made = await cluster.create({ ...wanted, metadata: { ...wanted.metadata, ...owners } });
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return cluster.update(
    made,
    (live) => Object.assign(ensureObject(live, 'status'), { phase: 'Running', conditions }),
    'status',
  );
}

async function replicaSet(name: string, replicas: number, owner?: JsonObject): Promise<JsonObject> {
  const labels = { app: name };
  const { metadata } = await cluster.create({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      namespace: 'ns',
      name,
      ...(owner === undefined ? {} : { ownerReferences: [{ controller: true, ...owner }] }),
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod('', '')['spec'] as Json },
    },
  });
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: metadata.uid ?? '' };
}

const statusOf = (object: KubeObject): JsonObject => objectAt(cluster.get(object), 'status') ?? {};

async function settled(object: KubeObject, wanted: JsonObject): Promise<void> {
  const matches = (): boolean => Object.entries(wanted).every(([key, value]) => statusOf(object)[key] === value);
  try {
    await until(JSON.stringify(wanted), matches);
  } catch {
    assert.deepEqual(statusOf(object), wanted);
  }
}

function condition(object: KubeObject): JsonObject {
  const { lastTransitionTime: _, ...rest } = listAt(statusOf(object), 'conditions')[0] ?? {};
  return rest;
}

test('a budget without pods allows nothing', async () => {
  const made = await cluster.create(budget('none', { minAvailable: 1 }));
  await settled(made, {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 1,
    expectedPods: 0,
  });
  assert.deepEqual(condition(made), {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: 1,
    reason: 'InsufficientPods',
    message: '',
  });
});

test('a number of pods is counted against the pods that there are', async () => {
  const made = await cluster.create(budget('number', { minAvailable: 1 }));
  const first = await runPod('number-1', 'number');
  await runPod('number-2', 'number');
  await runPod('number-3', 'number', undefined, false);
  await settled(made, { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 3 });
  assert.deepEqual(condition(made), {
    type: 'DisruptionAllowed',
    status: 'True',
    observedGeneration: 1,
    reason: 'SufficientPods',
    message: '',
  });
  await cluster.delete(first);
  await settled(made, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 2 });
});

test('a pod leaves a budget by a change of its labels', async () => {
  const made = await cluster.create(budget('labels', { minAvailable: 0 }));
  const member = await runPod('labels-1', 'labels');
  await settled(made, { currentHealthy: 1, expectedPods: 1 });
  await cluster.update(member, ({ metadata }) => (metadata.labels = { app: 'elsewhere' }));
  await settled(made, { currentHealthy: 0, expectedPods: 0 });
});

test('a share is counted against the scale of the controllers', async () => {
  const owner = await replicaSet('share', 4);
  for (const name of ['share-1', 'share-2', 'share-3']) await runPod(name, 'share', owner);
  const made = await cluster.create(budget('share', { maxUnavailable: '50%' }));
  await settled(made, { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 4 });
  await cluster.update(made, (live) => (ensureObject(live, 'spec')['maxUnavailable'] = 1));
  await settled(made, {
    observedGeneration: 2,
    disruptionsAllowed: 0,
    currentHealthy: 3,
    desiredHealthy: 3,
    expectedPods: 4,
  });
});

test('the scale of a ReplicaSet of a Deployment is that of the Deployment', async () => {
  const labels = { app: 'deployed' };
  const template = { metadata: { labels }, spec: pod('', '')['spec'] as Json };
  const { metadata } = await cluster.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'ns', name: 'deployed' },
    spec: { replicas: 7, selector: { matchLabels: labels }, template },
  });
  const owner = await replicaSet('deployed', 3, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'deployed',
    uid: metadata.uid ?? '',
  });
  await runPod('deployed-1', 'deployed', owner);
  const made = await cluster.create(budget('deployed', { minAvailable: '30%' }));
  await settled(made, { desiredHealthy: 3, expectedPods: 7 });
});

test('pods without a controller count for nothing in a share', async () => {
  await runPod('alone-1', 'alone');
  await runPod('alone-2', 'alone');
  const made = await cluster.create(budget('alone', { minAvailable: '50%' }));
  await settled(made, { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 0, expectedPods: 0 });
});

const FAILURES: readonly { app: string; owner: JsonObject; message: string }[] = [
  {
    app: 'unknown',
    owner: { apiVersion: 'example.com/v9', kind: 'Foo', name: 'a', uid: 'u' },
    message: 'no matches for kind "Foo" in version "example.com/v9"',
  },
  {
    app: 'scaleless',
    owner: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' },
    message: 'configmaps does not implement the scale subresource',
  },
  {
    app: 'lost',
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'nobody', uid: 'u' },
    message: 'found no controllers for pod "lost-1"',
  },
];

for (const { app, owner, message } of FAILURES) {
  test(`a budget whose scale cannot be known says so: ${message}`, async () => {
    await runPod(`${app}-1`, app, owner);
    const made = await cluster.create(budget(app, { maxUnavailable: 1 }));
    await until('the condition', () => listAt(statusOf(made), 'conditions').length > 0);
    assert.deepEqual(condition(made), { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message });
    assert.equal(statusOf(made)['observedGeneration'], undefined);
  });
}

test('a pod that was let go counts as gone, until it is clear that it stays', async () => {
  await runPod('going-1', 'going');
  await runPod('going-2', 'going');
  const made = await cluster.create(budget('going', { minAvailable: 0 }));
  await settled(made, { currentHealthy: 2 });
  const at = (minutes: number): string => `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const disrupt = (pods: JsonObject): Promise<KubeObject> =>
    cluster.update(made, (live) => (ensureObject(live, 'status')['disruptedPods'] = pods), 'status');
  const now = at(0);
  await disrupt({ 'going-1': now, other: now });
  await settled(made, { currentHealthy: 1 });
  assert.deepEqual(statusOf(made)['disruptedPods'], { 'going-1': now });
  await disrupt({ 'going-1': at(3) });
  await settled(made, { currentHealthy: 2 });
  assert.equal(statusOf(made)['disruptedPods'], undefined);
});
