/** Evictions over HTTP. The texts are those of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../control-plane/admission/cluster.fixture.ts';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';

let sandbox: Sandbox;
const PODS = '/api/v1/namespaces/ns/pods';
const BUDGETS = '/apis/policy/v1/namespaces/ns/poddisruptionbudgets';

before(async () => {
  sandbox = await startSandbox();
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  await until(
    'the default account',
    () => sandbox.cluster.store.table('/serviceaccounts').get('ns/default') !== undefined,
  );
});
after(async () => {
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

async function send(method: string, path: string, body?: JsonObject): Promise<{ code: number; body: JsonObject }> {
  const { code, body: text } = await sandbox.call(method, path, body);
  return { code, body: JSON.parse(text) as JsonObject };
}

async function runPod(name: string, app: string, status: JsonObject = {}): Promise<void> {
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await send('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app } }, spec });
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await send('PATCH', `${PODS}/${name}/status`, { status: { ...ready, ...status } });
}

/** Creates a budget and waits until its status has the wanted values. */
async function budget(app: string, spec: JsonObject, wanted: JsonObject): Promise<void> {
  const selector = { matchLabels: { app } };
  await send('POST', BUDGETS, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app },
    spec: { selector, ...spec },
  });
  await until(`the budget ${app}`, () => {
    const entry = sandbox.cluster.store.table('policy/poddisruptionbudgets').get(`ns/${app}`);
    const status = objectAt(JSON.parse(entry?.json ?? '{}') as JsonObject, 'status');
    return Object.entries(wanted).every(([key, value]) => status?.[key] === value);
  });
}

const evict = (name: string, rest: JsonObject = {}, query = ''): Promise<{ code: number; body: JsonObject }> =>
  send('POST', `${PODS}/${name}/eviction${query}`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...rest,
  });

const statusOf = async (name: string): Promise<JsonObject> =>
  objectAt((await send('GET', `${BUDGETS}/${name}`)).body, 'status') ?? {};

const cause = (body: JsonObject): Json | undefined => listAt(objectAt(body, 'details'), 'causes')[0]?.['message'];

test('an eviction takes one of the disruptions that a budget allows, and says in the pod why it goes', async () => {
  await runPod('taken-1', 'taken');
  await runPod('taken-2', 'taken');
  await budget('taken', { minAvailable: 1 }, { disruptionsAllowed: 1 });
  assert.equal((await evict('taken-1', {}, '?dryRun=All')).code, 201);
  assert.equal((await statusOf('taken'))['disruptionsAllowed'], 1);
  assert.deepEqual((await evict('taken-1')).body, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    code: 201,
  });
  const { body: pod } = await send('GET', `${PODS}/taken-1`);
  assert.equal(typeof objectAt(pod, 'metadata')?.['deletionTimestamp'], 'string');
  const { lastTransitionTime, ...condition } = listAt(objectAt(pod, 'status'), 'conditions')[1] ?? {};
  assert.match(String(lastTransitionTime), /Z$/);
  assert.deepEqual(condition, {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  });
  const refused = await evict('taken-2');
  assert.equal(refused.code, 429);
  assert.equal(cause(refused.body), 'The disruption budget taken needs 1 healthy pods and has 1 currently');
  assert.equal((await evict('taken-1')).code, 201, 'a pod that goes already may go');
});

test('of many evictions at once a budget lets only as many pass as it allows', async () => {
  const names = ['race-1', 'race-2', 'race-3', 'race-4'];
  for (const name of names) await runPod(name, 'race');
  await budget('race', { minAvailable: 2 }, { disruptionsAllowed: 2 });
  const codes = (await Promise.all(names.map((name) => evict(name)))).map(({ code }) => code);
  assert.deepEqual(
    codes.toSorted((a, b) => a - b),
    [201, 201, 429, 429],
  );
});

test('an unready pod may go when the budget is met without it', async () => {
  await runPod('unready-1', 'unready');
  await runPod('unready-2', 'unready', { conditions: [{ type: 'Ready', status: 'False' }] });
  await budget('unready', { minAvailable: 1 }, { currentHealthy: 1 });
  assert.equal((await evict('unready-1')).code, 429);
  assert.equal((await evict('unready-2')).code, 201);
  await runPod('always', 'always', { conditions: [{ type: 'Ready', status: 'False' }] });
  await budget('always', { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }, { expectedPods: 1 });
  assert.equal((await evict('always')).code, 201);
});

test('a pod that has not started or has ended needs no budget', async () => {
  await budget('idle', { minAvailable: 5 }, { desiredHealthy: 5 });
  for (const phase of ['Pending', 'Succeeded', 'Failed']) {
    await runPod(phase.toLowerCase(), 'idle', { phase });
    assert.equal((await evict(phase.toLowerCase())).code, 201, phase);
  }
});

test('a budget that could not be counted lets nothing go', async () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'kube-root-ca.crt', controller: true };
  await until('the map', () => sandbox.cluster.store.table('/configmaps').get('ns/kube-root-ca.crt') !== undefined);
  const uid = sandbox.cluster.store.table('/configmaps').get('ns/kube-root-ca.crt')?.uid ?? '';
  await budget('failed', { maxUnavailable: 1 }, { observedGeneration: 1 });
  await runPod('failed', 'failed');
  await send('PATCH', `${PODS}/failed`, { metadata: { ownerReferences: [{ ...owner, uid }] } });
  await until('the failure', () =>
    (sandbox.cluster.store.table('policy/poddisruptionbudgets').get('ns/failed')?.json ?? '').includes('SyncFailed'),
  );
  assert.equal(
    cause((await evict('failed')).body),
    'The disruption budget failed does not allow evicting pods currently because it failed sync: configmaps does not implement the scale subresource',
  );
});

test('two budgets for one pod are too many', async () => {
  const both = { minAvailable: 0, selector: { matchLabels: { app: 'two' } } };
  await budget('two-a', both, { observedGeneration: 1 });
  await budget('two-b', both, { observedGeneration: 1 });
  await runPod('two', 'two');
  const { code, body } = await evict('two');
  assert.equal(code, 500);
  assert.equal(
    textAt(body, 'message'),
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  );
  assert.equal(body['reason'], undefined);
});

const REFUSED: readonly { why: string; body?: JsonObject; query?: string; code: number; message: RegExp }[] = [
  {
    why: 'no name',
    body: { metadata: {} },
    code: 400,
    message: /^name in URL does not match name in Eviction object$/,
  },
  {
    why: 'another namespace',
    body: { metadata: { name: 'free', namespace: 'x' } },
    code: 400,
    message: /^the namespace of the provided object does not match/,
  },
  {
    why: 'another uid',
    body: { deleteOptions: { preconditions: { uid: 'x' } } },
    code: 409,
    message: /^Operation cannot be fulfilled on Pod "free": the UID in the precondition \(x\)/,
  },
  {
    why: 'an old state',
    body: { deleteOptions: { preconditions: { resourceVersion: '1' } } },
    code: 409,
    message: /the ResourceVersion in the precondition \(1\)/,
  },
  {
    why: 'two dry runs',
    body: { deleteOptions: { dryRun: ['Other'] } },
    query: '?dryRun=All',
    code: 500,
    message: /^Non-matching dry-run options in request and content: \[All\] and \[Other\]$/,
  },
  {
    why: 'an unknown field',
    body: { nope: 1 },
    query: '?fieldValidation=Strict',
    code: 400,
    message: /strict decoding error: unknown field "nope"$/,
  },
];

test('what an eviction may not say', async (t) => {
  await runPod('free', 'free');
  for (const { why, body, query, code, message } of REFUSED) {
    await t.test(why, async () => {
      const answer = await evict('free', body, query);
      assert.equal(answer.code, code);
      assert.match(textAt(answer.body, 'message'), message);
    });
  }
  assert.equal((await evict('free', { apiVersion: 'policy/v1beta1' })).code, 201, 'the first version is still taken');
});
