/** Tokens and reviews over HTTP. The texts are those of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../control-plane/admission/cluster.fixture.ts';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';

let sandbox: Sandbox;
const NS = '/api/v1/namespaces/ns';
const ISSUER = 'https://kubernetes.default.svc';

before(async () => {
  sandbox = await startSandbox();
  await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  await until(
    'the default account',
    () => sandbox.cluster.store.table('/serviceaccounts').get('ns/default') !== undefined,
  );
  await send('POST', `${NS}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'other' },
  });
});
after(async () => {
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

async function send(
  method: string,
  path: string,
  body?: JsonObject,
  headers = {},
): Promise<{ code: number; body: JsonObject }> {
  const { code, body: text } = await sandbox.call(method, path, body, headers);
  return { code, body: JSON.parse(text) as JsonObject };
}

const ask = (
  spec: JsonObject,
  rest: JsonObject = {},
  account = 'default',
): Promise<{ code: number; body: JsonObject }> =>
  send('POST', `${NS}/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
    ...rest,
  });

async function token(spec: JsonObject, account = 'default'): Promise<string> {
  const { code, body } = await ask(spec, {}, account);
  assert.equal(code, 201, JSON.stringify(body));
  return textAt(objectAt(body, 'status'), 'token');
}

const claimsOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;

async function review(jwt: string, audiences?: string[]): Promise<JsonObject> {
  const spec = { token: jwt, ...(audiences === undefined ? {} : { audiences }) };
  const { body } = await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec,
  });
  return objectAt(body, 'status') ?? {};
}

const use = async (jwt: string): Promise<number> =>
  (await send('GET', `${NS}/configmaps`, undefined, { authorization: `Bearer ${jwt}` })).code;

const uidOf = async (path: string): Promise<string> =>
  textAt(objectAt((await send('GET', path)).body, 'metadata'), 'uid');

const runPod = (name: string): Promise<unknown> =>
  send('POST', `${NS}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
  });

test('a request is answered in full, with a token of its account', async () => {
  const { body } = await ask({});
  const uid = await uidOf(`${NS}/serviceaccounts/default`);
  const { managedFields, creationTimestamp, ...metadata } = objectAt(body, 'metadata') ?? {};
  assert.deepEqual(metadata, { name: 'default', namespace: 'ns', uid });
  assert.match(String(creationTimestamp), /Z$/);
  assert.match(
    JSON.stringify(managedFields),
    /"fieldsV1":\{"f:spec":\{"f:expirationSeconds":\{\}\}\},"subresource":"token"/,
  );
  assert.deepEqual(body['spec'], { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null });
  const jwt = textAt(objectAt(body, 'status'), 'token');
  const claims = claimsOf(jwt);
  assert.deepEqual(Object.keys(claims), ['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
  assert.deepEqual(claims['kubernetes.io'], { namespace: 'ns', serviceaccount: { name: 'default', uid } });
  assert.equal(await use(jwt), 200);
});

test('a token that is bound to a pod ends with it', async () => {
  await runPod('bound');
  const jwt = await token({
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'bound' },
    expirationSeconds: 3607,
  });
  const uid = await uidOf(`${NS}/pods/bound`);
  const claims = claimsOf(jwt);
  assert.deepEqual(objectAt(claims, 'kubernetes.io')?.['pod'], { name: 'bound', uid });
  assert.deepEqual(objectAt(claims, 'kubernetes.io')?.['node'], { name: 'n' });
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 365 * 24 * 3600, "a kubelet's token is extended");
  const { user, audiences } = await review(jwt);
  assert.deepEqual(audiences, [ISSUER]);
  assert.deepEqual((user as JsonObject)['extra'], {
    'authentication.kubernetes.io/credential-id': [`JTI=${textAt(claims, 'jti')}`],
    'authentication.kubernetes.io/node-name': ['n'],
    'authentication.kubernetes.io/pod-name': ['bound'],
    'authentication.kubernetes.io/pod-uid': [uid],
  });
  await send('DELETE', `${NS}/pods/bound?gracePeriodSeconds=0`);
  assert.equal(await use(jwt), 401);
  assert.deepEqual(await review(jwt), {
    user: {},
    error: '[invalid bearer token, service account token has been invalidated]',
  });
  await runPod('bound');
  assert.equal(await use(jwt), 401, 'another pod of the name is not the one');
});

test('a token can be bound to a Secret or a node', async () => {
  await send('POST', `${NS}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
  await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } });
  for (const [kind, name, path] of [
    ['Secret', 's', `${NS}/secrets/s`],
    ['Node', 'node', '/api/v1/nodes/node'],
  ] as const) {
    const jwt = await token({ boundObjectRef: { apiVersion: 'v1', kind, name, uid: await uidOf(path) } });
    assert.equal(await use(jwt), 200);
    await send('DELETE', path);
    assert.equal(await use(jwt), 401);
  }
});

const REFUSED: readonly {
  why: string;
  spec?: JsonObject;
  rest?: JsonObject;
  account?: string;
  code: number;
  message: RegExp;
}[] = [
  { why: 'no such account', account: 'nobody', code: 404, message: /^serviceaccounts "nobody" not found$/ },
  {
    why: 'another name',
    rest: { metadata: { name: 'other' } },
    code: 422,
    message: /metadata.name: Invalid value: "other": must match the service account name if specified$/,
  },
  {
    why: 'another namespace',
    rest: { metadata: { namespace: 'other' } },
    code: 400,
    message: /^the namespace of the provided object does not match the namespace sent on the request$/,
  },
  {
    why: 'another uid',
    rest: { metadata: { uid: 'x' } },
    code: 409,
    message:
      /^Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "default": the UID in the token request \(x\)/,
  },
  {
    why: 'too short a life',
    spec: { expirationSeconds: 5 },
    code: 422,
    message: /spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes$/,
  },
  {
    why: 'too long a life',
    spec: { expirationSeconds: 5e9 },
    code: 422,
    message: /may not specify a duration larger than 2\^32 seconds$/,
  },
  {
    why: 'no such pod',
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } },
    code: 404,
    message: /^pods "none" not found$/,
  },
  {
    why: 'another pod of the name',
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'x' } },
    code: 409,
    message: /^Operation cannot be fulfilled on Pod "p": the UID in the bound object reference \(x\)/,
  },
  {
    why: "another account's pod",
    account: 'other',
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } },
    code: 400,
    message: /^cannot bind token for serviceaccount "other" to pod running with different serviceaccount name\.$/,
  },
  {
    why: 'a kind without a life to share',
    spec: { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'p' } },
    code: 400,
    message: /^cannot bind token to object of type \/v1, Kind=ConfigMap$/,
  },
  {
    why: 'a kind of another group',
    spec: { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Pod', name: 'p' } },
    code: 400,
    message: /^cannot bind token to object of type apps\/v1, Kind=Pod$/,
  },
];

test('what a request may not ask for', async (t) => {
  await runPod('p');
  for (const { why, spec = {}, rest, account, code, message } of REFUSED) {
    await t.test(why, async () => {
      const answer = await ask(spec, rest, account);
      assert.equal(answer.code, code);
      assert.match(textAt(answer.body, 'message'), message);
    });
  }
});

test('a token for others is not for the API server', async () => {
  const jwt = await token({ audiences: ['vault', 'x'] });
  assert.equal(await use(jwt), 401);
  assert.deepEqual(await review(jwt), {
    user: {},
    error: `[invalid bearer token, token audiences ["vault" "x"] is invalid for the target audiences ["${ISSUER}"]]`,
  });
  assert.deepEqual((await review(jwt, ['vault', 'y']))['audiences'], ['vault']);
});

test('tokens that were never issued are no tokens', async () => {
  assert.deepEqual(await review('a.b.c'), { user: {}, error: 'invalid bearer token' });
  assert.deepEqual(await review(sandbox.identity.token, ['vault']), { user: {}, error: 'invalid bearer token' });
  const [head, body, signature = ''] = (await token({})).split('.');
  const broken = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  assert.deepEqual(await review(broken), {
    user: {},
    error: '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]',
  });
  assert.equal(await use(broken), 401);
});

test('a token ends with its account', async () => {
  const jwt = await token({}, 'other');
  assert.equal(await use(jwt), 200);
  await send('DELETE', `${NS}/serviceaccounts/other`);
  assert.deepEqual(await review(jwt), { user: {}, error: '[invalid bearer token, serviceaccounts "other" not found]' });
});
