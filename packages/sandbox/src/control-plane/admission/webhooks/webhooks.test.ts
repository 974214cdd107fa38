/** Webhooks against a real HTTPS server on loopback. The texts are those of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { pod, refusal } from '../cluster.fixture.ts';
import { WebhookBench } from './webhook-bench.fixture.ts';
import { patch, WebhookServer } from './webhook-server.fixture.ts';

let bench: WebhookBench;
before(async () => {
  bench = await WebhookBench.start();
  await bench.cluster.create(externalService());
});
after(() => bench.stop());
afterEach(() => bench.reset());

const externalService = (): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'ns', name: 'ext' },
  spec: { type: 'ExternalName', externalName: 'localhost' },
});
const urls = (): string[] => bench.hook.seen.map(({ url }) => url.split('?')[0] ?? '');

test('a webhook is sent an AdmissionReview like the real one', async () => {
  await bench.configure('Validating');
  const map = bench.fresh();
  const created = await bench.cluster.create(map);
  const [seen] = bench.hook.seen;
  assert.equal(seen?.url, '/x?timeout=10s');
  assert.equal(seen?.headers['user-agent'], 'kube-apiserver-admission');
  assert.equal(seen?.headers['accept'], 'application/json, */*');
  const { uid, object, ...request } = seen?.review.request ?? {};
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.equal((object as KubeObject).metadata.uid, created.metadata.uid);
  assert.deepEqual(request, {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: map.metadata.name,
    namespace: 'ns',
    operation: 'CREATE',
    userInfo: { username: 'tester', uid: 'tester-uid', groups: ['system:masters', 'system:authenticated'] },
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  });
});

test('an update brings the old object, a delete only that', async () => {
  await bench.configure('Validating');
  const created = await bench.cluster.create(bench.fresh());
  await bench.cluster.update(created, (live) => (live['data'] = { a: '2' }));
  await bench.cluster.delete(created);
  const facts = bench.hook.seen.map(({ review: { request } }) => [
    request['operation'],
    (request['object'] as JsonObject | null)?.['data'],
    (request['oldObject'] as JsonObject | null)?.['data'],
    (request['options'] as JsonObject)['kind'],
  ]);
  assert.deepEqual(facts, [
    ['CREATE', { a: '1' }, undefined, 'CreateOptions'],
    ['UPDATE', { a: '2' }, { a: '1' }, 'UpdateOptions'],
    ['DELETE', undefined, { a: '2' }, 'DeleteOptions'],
  ]);
});

const denials: { reason: string; status: JsonObject | undefined; code: number; why: string; said: string }[] = [
  { reason: 'no status', status: undefined, code: 400, why: '', said: ' without explanation' },
  { reason: 'a message and a code', status: { message: 'no', code: 418 }, code: 418, why: '', said: ': no' },
  { reason: 'a reason only', status: { reason: 'Forbidden' }, code: 400, why: 'Forbidden', said: ': Forbidden' },
  {
    reason: 'a success',
    status: { code: 200, status: 'Success', message: 'm', reason: 'Weird' },
    code: 400,
    why: 'Weird',
    said: ': m',
  },
];
for (const kind of ['Mutating', 'Validating'] as const) {
  for (const { reason, status, code, why, said } of denials) {
    test(`a denial of a ${kind.toLowerCase()} webhook with ${reason} is passed on`, async () => {
      await bench.configure(kind);
      bench.hook.answer({ allowed: false, ...(status === undefined ? {} : { status }) });
      const error = await refusal(bench.cluster.create(bench.fresh()));
      assert.deepEqual(
        [error.code, error.reason, error.message],
        [code, why, `admission webhook "h.example.com" denied the request${said}`],
      );
    });
  }
}

test('warnings reach the client', async () => {
  await bench.configure('Mutating');
  bench.hook.answer({ warnings: ['careful'] });
  const warnings: string[] = [];
  await bench.cluster.create(bench.fresh(), { warnings });
  assert.deepEqual(warnings, ['careful']);
});

test('a patch changes the object before it is stored', async () => {
  await bench.configure('Mutating');
  bench.hook.answer(patch({ op: 'add', path: '/data/b', value: '2' }, { op: 'add', path: '/bogus', value: 3 }));
  const created = await bench.cluster.create(bench.fresh());
  assert.deepEqual(created['data'], { a: '1', b: '2' });
  assert.equal(created['bogus'], undefined);
});

test('a Service of type ExternalName leads to the webhook', async () => {
  const own = await WebhookServer.start({ dnsNames: ['ext.ns.svc'] });
  try {
    await bench.configure('Validating', {
      clientConfig: { service: { name: 'ext', namespace: 'ns', path: '/p', port: own.port }, caBundle: own.caBundle },
    });
    await bench.cluster.create(bench.fresh());
    assert.equal(own.seen[0]?.url, '/p?timeout=10s');
    assert.equal(own.seen[0]?.headers['host'], `ext.ns.svc:${own.port}`);
  } finally {
    own.stop();
  }
});

test('connections are kept', async () => {
  const own = await WebhookServer.start();
  try {
    await bench.configure('Validating', { clientConfig: own.clientConfig() });
    for (let i = 0; i < 5; i++) await bench.cluster.create(bench.fresh());
    assert.equal(own.seen.length, 5);
    assert.equal(own.connections, 1);
  } finally {
    own.stop();
  }
});

test('a webhook with side effects refuses dry runs', async () => {
  await bench.configure('Mutating');
  // The API no longer accepts such configurations, but old ones may still be stored.
  const table = bench.cluster.store.table('admissionregistration.k8s.io/mutatingwebhookconfigurations');
  for (const entry of table.range('')) {
    const old = JSON.parse(entry.json.replace('"sideEffects":"None"', '"sideEffects":"Some"')) as KubeObject;
    bench.cluster.store.put(table.name, old, entry.revision);
  }
  const error = await refusal(bench.cluster.create(bench.fresh(), { dryRun: true }));
  assert.deepEqual([error.code, error.message], [400, 'admission webhook "h.example.com" does not support dry run']);
  await bench.cluster.create(bench.fresh());
});

test('a dry run is announced to the webhook', async () => {
  await bench.configure('Validating');
  await bench.cluster.create(bench.fresh(), { dryRun: true });
  assert.equal(bench.request()['dryRun'], true);
  assert.deepEqual(bench.request()['options'], {
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    dryRun: ['All'],
  });
});

test('webhooks are called in the order of their configurations, and see what was changed before them', async () => {
  await bench.configure('Mutating', { clientConfig: bench.hook.clientConfig('/second') }, 'b-config');
  await bench.configure(
    'Mutating',
    [
      { clientConfig: bench.hook.clientConfig('/first') },
      { name: 'i.example.com', clientConfig: bench.hook.clientConfig('/next') },
    ],
    'a-config',
  );
  bench.hook.answer((_, url) => patch({ op: 'add', path: `/data/${url.slice(1).split('?')[0] ?? ''}`, value: 'x' }));
  const created = await bench.cluster.create(bench.fresh({ a: '1' }));
  assert.deepEqual(urls(), ['/first', '/next', '/second']);
  assert.deepEqual(created['data'], { a: '1', first: 'x', next: 'x', second: 'x' });
  assert.deepEqual((bench.request(2)['object'] as JsonObject)['data'], { a: '1', first: 'x', next: 'x' });
});

test('a webhook that wants to is called again when a later one changed the object', async () => {
  const hooks = [
    { clientConfig: bench.hook.clientConfig('/again'), reinvocationPolicy: 'IfNeeded' },
    { name: 'i.example.com', clientConfig: bench.hook.clientConfig('/once') },
  ];
  await bench.configure('Mutating', hooks);
  bench.hook.answer((_, url) => (url.startsWith('/once') ? patch({ op: 'add', path: '/data/b', value: '2' }) : {}));
  await bench.cluster.create(bench.fresh());
  assert.deepEqual(urls(), ['/again', '/once', '/again']);
});

test('what a webhook adds to a pod is completed by the plug-ins before it', async () => {
  await bench.configure('Mutating', {
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  });
  bench.hook.answer(patch({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'i' } }));
  const created = await bench.cluster.create(pod('ns', 'injected'));
  const containers = (created['spec'] as JsonObject)['containers'] as JsonObject[];
  assert.deepEqual(
    containers.map(({ name }) => name),
    ['c', 'sidecar'],
  );
  assert.deepEqual(containers[0]?.['volumeMounts'], containers[1]?.['volumeMounts']);
  assert.equal(((created['spec'] as JsonObject)['volumes'] as JsonObject[]).length, 1);
});

test('webhook configurations are never sent to webhooks', async () => {
  await bench.configure('Validating', {
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
  });
  bench.hook.answer({ allowed: false });
  await bench.configure('Mutating');
  assert.equal(bench.hook.seen.length, 0);
});

test('all validating webhooks are asked at once', async () => {
  await bench.configure('Validating', [
    { clientConfig: bench.hook.clientConfig('/one') },
    { name: 'i.example.com', clientConfig: bench.hook.clientConfig('/two') },
  ]);
  const both = Promise.withResolvers<void>();
  bench.hook.answer(async (_, url) => {
    if (bench.hook.seen.length === 2) both.resolve();
    await both.promise;
    return url.startsWith('/two') ? { allowed: false, status: { message: 'no' } } : {};
  });
  assert.equal(
    (await refusal(bench.cluster.create(bench.fresh()))).message,
    'admission webhook "i.example.com" denied the request: no',
  );
});
