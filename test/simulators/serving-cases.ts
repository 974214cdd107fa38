/** The guarantees of the simulators' server, on the sandbox and on a real kube-apiserver. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { createWorld, type CreatedWorld } from '../../packages/sandbox/src/simulators/create-world.ts';
import { configMaps } from '../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { apiServices, configurations } from '../../packages/sandbox/src/simulators/serving/registered-objects.ts';
import { serve, type Served } from '../../packages/sandbox/src/simulators/serving/serve.ts';
import { refuseRunning } from '../../packages/sandbox/src/simulators/serving/taken.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { tinyApi, tinyWebhooks } from './tiny.ts';

const things = '/apis/tiny.ssvirt.io/v1/namespaces/default/things';
const namespace = 'default';

export function servingCases(start: () => Promise<Cluster>): void {
  let cluster: Cluster;
  let world: CreatedWorld;
  let served: Served;
  const serveTiny = (): Promise<Served> =>
    serve({ client: world.administrator, webhooks: tinyWebhooks, apis: [tinyApi], namespace, log: world.log });

  before(async () => {
    cluster = await start();
    world = createWorld({ name: 'tiny', source: fixedSource(cluster), log: pino({ level: 'silent' }) });
    served = await serveTiny();
    // Each configuration takes effect at its own time, shortly after its creation.
    const validates = async (): Promise<boolean> => (await refusal(() => createConfigMap('bare'))) !== undefined;
    await until('the validating webhook is asked', validates);
    await until('the mutating webhook is asked', async () => 'data' in (await createConfigMap('filled')));
  });
  after(async () => {
    await world?.close();
    await cluster?.stop();
  });

  const createConfigMap = (name: string): Promise<KubeObject> =>
    world.as('virt-controller').client.create(configMaps, { metadata: { name, namespace } }, { dryRun: true });

  test('a validating webhook refuses in its own words', async () => {
    const denied = (text: string): string =>
      `admission webhook "configmaps-validator.tiny.ssvirt.io" denied the request: ${text}`;
    const invalid = await refusal(() => createConfigMap('invalid'));
    assert.equal(invalid?.code, 422);
    assert.equal(invalid.status?.reason, 'Invalid');
    assert.equal(invalid.status?.message, denied('it is odd, and not even'));
    assert.deepEqual(invalid.status?.details?.causes, [
      { reason: 'FieldValueInvalid', message: 'it is odd', field: 'data.number' },
    ]);
    const bare = await refusal(() => createConfigMap('bare'));
    assert.equal(bare?.code, 403);
    assert.equal(bare.status?.message, denied('not here'));
    const thrown = await refusal(() => createConfigMap('thrown'));
    assert.equal(thrown?.code, 409);
    assert.equal(thrown.status?.message, denied('somebody was faster'));
  });

  test('a webhook with a defect fails the call, and tells nothing of the implementation', async () => {
    const defect = await refusal(() => createConfigMap('defect'));
    assert.equal(defect?.code, 500);
    assert.match(defect.status?.message ?? '', /failed calling webhook "configmaps-validator\.tiny\.ssvirt\.io"/);
    assert.doesNotMatch(JSON.stringify(defect.status), /secret/);
  });

  test('a mutating webhook patches what is written', async () => {
    assert.deepEqual(((await createConfigMap('filled')) as Unstructured)['data'], { by: 'a webhook' });
  });

  test('an API learns who asks, extra and groups included', async () => {
    const { client } = world.as('virt-handler', { node: 'node 1' });
    const { body } = await client.request({ method: 'GET', path: `${things}/a%20b`, query: { x: '1' } });
    const { caller, ...rest } = body as { caller: { username: string; groups: string[]; extra: object } };
    assert.deepEqual(rest, { method: 'GET', path: `${things}/a b`, query: 'x=1', length: 0 });
    assert.equal(caller.username, 'system:serviceaccount:kubevirt:kubevirt-handler');
    assert.deepEqual(caller.groups.toSorted(), [
      'system:authenticated',
      'system:masters',
      'system:serviceaccounts',
      'system:serviceaccounts:kubevirt',
    ]);
    assert.deepEqual(caller.extra, { 'authentication.kubernetes.io/node-name': ['node 1'] });
  });

  test('an API answers with a Status, hides its defects, and limits bodies', async () => {
    const { administrator: client } = world;
    const conflict = await refusal(() => client.request({ method: 'GET', path: `${things}/conflict` }));
    assert.deepEqual(conflict?.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'not now',
      reason: 'Conflict',
      details: { name: 'conflict', kind: 'things' },
      code: 409,
    });
    // Not by GET, which would be retried.
    const defect = await refusal(() => client.request({ method: 'POST', path: `${things}/defect`, body: {} }));
    assert.equal(defect?.code, 500);
    assert.doesNotMatch(JSON.stringify(defect.status), /secret/);
    const small = await client.request({ method: 'POST', path: things, body: { text: 'x'.repeat(1000) } });
    assert.equal((small.body as { length: number }).length, 1011);
    const large = { text: 'x'.repeat(3 * 1024 * 1024) };
    assert.equal((await refusal(() => client.request({ method: 'POST', path: things, body: large })))?.code, 413);
  });

  test('websockets go through, and a refused one says why', async () => {
    const line = await world.administrator.connect(`${things}/echo`);
    line.send('hello');
    const [data] = (await once(line, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
    assert.equal(data.toString(), 'hello');
    line.close();
    const refused = await refusal(() => world.administrator.connect(`${things}/nothing`));
    assert.equal(refused?.code, 404);
  });

  test('whoever is not the front proxy is refused, whatever the headers say', async () => {
    const certificate = cluster.clientCertificate;
    const credentials = [{}, ...(certificate === undefined ? [] : [certificate])];
    for (const credential of credentials) {
      assert.equal(await direct(served.port, '/apis/tiny.ssvirt.io/v1', credential), 401);
      assert.equal(await direct(served.port, '/apis', credential), 401);
      assert.equal(await direct(served.port, '/healthz', credential), 200);
      assert.equal(await direct(served.port, '/elsewhere', credential), 404);
    }
  });

  test("an API that is another server's already is left alone, and nothing else is registered", async () => {
    const taken = { ...tinyApi, group: 'taken.ssvirt.io' };
    const spec = {
      group: taken.group,
      version: taken.version,
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'elsewhere', name: 'theirs' },
      insecureSkipTLSVerify: true,
    };
    const theirs: Unstructured = { metadata: { name: 'v1.taken.ssvirt.io' }, spec };
    await world.administrator.create<KubeObject>(apiServices, theirs);
    const [webhook] = tinyWebhooks.map((one) => ({ ...one, configuration: 'not-to-be-seen' }));
    assert.ok(webhook);
    const both = { webhooks: [webhook], apis: [taken], namespace, log: world.log };
    await assert.rejects(serve({ client: world.administrator, ...both }), {
      name: 'TakenError',
      message:
        'cannot simulate here: the service elsewhere/theirs serves taken.ssvirt.io/v1. Choose a cluster without it, ' +
        'or delete the APIService "v1.taken.ssvirt.io" if it is not needed',
    });
    const found = await world.administrator.get(apiServices, { name: 'v1.taken.ssvirt.io' });
    assert.equal(found.spec?.service?.name, 'theirs');
    const seen = await refusal(() => world.administrator.get(configurations.Mutating, { name: 'not-to-be-seen' }));
    assert.equal(seen?.kind, 'NotFound');
  });

  test('simulators that run already are left alone, and those that died do not count', async () => {
    await assert.rejects(refuseRunning(world.administrator, tinyApi.group), {
      name: 'TakenError',
      message:
        'cannot simulate here: simulators run in this cluster already, and serve tiny.ssvirt.io on port ' +
        `${served.port} of this machine. Stop them first`,
    });
    await refuseRunning(world.administrator, 'nobody.ssvirt.io');
    await served.pause();
    await refuseRunning(world.administrator, tinyApi.group);
    await served.resume();
  });

  test("a webhook configuration that is another's is left alone", async () => {
    const name = 'theirs';
    const theirs: Unstructured = { metadata: { name }, webhooks: [] };
    await world.administrator.create<KubeObject>(configurations.Validating, theirs);
    const webhooks = tinyWebhooks.map((one) => ({ ...one, kind: 'Validating' as const, configuration: name }));
    await assert.rejects(serve({ client: world.administrator, webhooks, apis: [], namespace, log: world.log }), {
      name: 'TakenError',
      message:
        'cannot simulate here: there is a ValidatingWebhookConfiguration "theirs" of another owner. ' +
        'Choose a cluster without it, or delete it if it is not needed',
    });
    const found: Unstructured = await world.administrator.get(configurations.Validating, { name });
    assert.deepEqual(found['webhooks'] ?? [], []);
  });

  test('a server that comes back on another port is registered again; one that ends politely leaves nothing', async () => {
    const before = served.port;
    // Ends as in a crash: the registrations stay.
    await served.close({ leaveRegistered: true });
    const broken = await refusal(() => createConfigMap('any'));
    assert.match(broken?.status?.message ?? '', /failed calling webhook/);
    served = await serveTiny();
    assert.notEqual(served.port, before);
    await until(
      'the webhook is asked at its new place',
      async () => (await refusal(() => createConfigMap('any'))) === undefined,
    );
    await served.close();
    const left: readonly (readonly [ResourceType<KubeObject>, string])[] = [
      [apiServices, 'v1.tiny.ssvirt.io'],
      [configurations.Mutating, 'tiny-mutator'],
      [configurations.Validating, 'tiny-validator'],
    ];
    for (const [type, name] of left)
      assert.equal((await refusal(() => world.administrator.get(type, { name })))?.kind, 'NotFound', name);
    await until('writes go through', async () => (await refusal(() => createConfigMap('any'))) === undefined);
  });
}

/** The error with which the server refused; undefined if it did not. */
async function refusal(act: () => Promise<unknown>): Promise<KubeError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof KubeError) return error;
    throw error;
  }
}

function direct(port: number, path: string, credential: { cert?: string; key?: string }): Promise<number> {
  const headers = { 'X-Remote-User': 'system:admin', 'X-Remote-Group': 'system:masters' };
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      headers,
      agent: false as const,
      rejectUnauthorized: false,
      ...credential,
    };
    request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
