/** Which webhooks are called for which requests. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { refusal } from '../cluster.fixture.ts';
import { WebhookBench } from './webhook-bench.fixture.ts';
import { patch } from './webhook-server.fixture.ts';

let bench: WebhookBench;
before(async () => {
  bench = await WebhookBench.start();
});
after(() => bench.stop());
afterEach(() => bench.reset());

const rules: { reason: string; rule: JsonObject; called: boolean }[] = [
  {
    reason: 'everything',
    rule: { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
    called: true,
  },
  {
    reason: 'everything with subresources',
    rule: { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
    called: true,
  },
  {
    reason: 'another operation',
    rule: { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'another group',
    rule: { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'another version',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v2'], resources: ['configmaps'] },
    called: false,
  },
  {
    reason: 'a subresource only',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps/status'] },
    called: false,
  },
  {
    reason: 'namespaced objects',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Namespaced' },
    called: true,
  },
  {
    reason: 'cluster-wide objects',
    rule: { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Cluster' },
    called: false,
  },
];
for (const { reason, rule, called } of rules) {
  test(`a rule for ${reason} ${called ? 'matches' : 'does not match'} the creation of a ConfigMap`, async () => {
    await bench.configure('Validating', { rules: [rule] });
    await bench.cluster.create(bench.fresh());
    assert.equal(bench.hook.seen.length, called ? 1 : 0);
  });
}

const selectors: { reason: string; webhook: JsonObject; called: boolean }[] = [
  {
    reason: 'the labels of the namespace',
    webhook: { namespaceSelector: { matchLabels: { team: 'a' } } },
    called: true,
  },
  {
    reason: 'other labels of the namespace',
    webhook: { namespaceSelector: { matchLabels: { team: 'b' } } },
    called: false,
  },
  {
    reason: 'the labels of the object',
    webhook: { objectSelector: { matchExpressions: [{ key: 'x', operator: 'Exists' }] } },
    called: true,
  },
  { reason: 'other labels of the object', webhook: { objectSelector: { matchLabels: { x: 'z' } } }, called: false },
  {
    reason: 'a condition that holds',
    webhook: { matchConditions: [{ name: 'a', expression: 'object.data.a == "1" && request.name != ""' }] },
    called: true,
  },
  {
    reason: 'a condition that does not hold',
    webhook: { matchConditions: [{ name: 'a', expression: 'request.userInfo.username == "nobody"' }] },
    called: false,
  },
  {
    reason: 'a condition that fails, where failures are ignored',
    webhook: { failurePolicy: 'Ignore', matchConditions: [{ name: 'a', expression: 'object.data.b == "x"' }] },
    called: false,
  },
];
for (const { reason, webhook, called } of selectors) {
  test(`a webhook for ${reason} is ${called ? '' : 'not '}called`, async () => {
    await bench.configure('Mutating', webhook);
    const map = bench.fresh();
    await bench.cluster.create({ ...map, metadata: { ...map.metadata, labels: { x: 'y' } } });
    assert.equal(bench.hook.seen.length, called ? 1 : 0);
  });
}

test('a condition that fails refuses the request', async () => {
  await bench.configure('Validating', {
    matchConditions: ['b', 'c'].map((key) => ({ name: key, expression: `object.data.${key} == "x"` })),
  });
  const map = bench.fresh();
  const error = await refusal(bench.cluster.create(map));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    `configmaps "${map.metadata.name ?? ''}" is forbidden: [expression 'object.data.b == "x"' resulted in error: no such key: b, expression 'object.data.c == "x"' resulted in error: no such key: c]`,
  );
});

test('a webhook for one version sees requests in another, unless it wants only exact ones', async () => {
  const rule = { operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] };
  await bench.configure('Mutating', { rules: [rule] });
  bench.hook.answer(patch({ op: 'add', path: '/data', value: { by: 'webhook' } }));
  const widget = (name: string): KubeObject => ({
    apiVersion: 'example.com/v1beta1',
    kind: 'Widget',
    metadata: { namespace: 'ns', name },
  });
  const created = await bench.cluster.create(widget('w1'));
  const request = bench.request();
  assert.deepEqual(request['kind'], { group: 'example.com', version: 'v1', kind: 'Widget' });
  assert.deepEqual(request['requestKind'], { group: 'example.com', version: 'v1beta1', kind: 'Widget' });
  assert.equal((request['object'] as KubeObject).apiVersion, 'example.com/v1');
  assert.equal(created.apiVersion, 'example.com/v1beta1');
  assert.deepEqual(created['data'], { by: 'webhook' });
  await bench.clear();
  await bench.configure('Mutating', { rules: [rule], matchPolicy: 'Exact' });
  await bench.cluster.create(widget('w2'));
  assert.equal(bench.hook.seen.length, 1);
});
