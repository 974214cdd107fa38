/** Reviews over HTTP, with the recorded answers of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox, type Sandbox } from '../aggregation/testdata/sandbox.ts';
import type { JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(async () => {
  await sandbox.stop();
  assert.deepEqual(sandbox.defects, []);
});

const GROUP = 'authorization.k8s.io/v1';
const ATTRIBUTES = { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } };

async function ask(
  kind: string,
  body: JsonObject,
  where = `/apis/${GROUP}/${kind.toLowerCase()}s`,
): Promise<{ code: number; body: JsonObject }> {
  const apiVersion = where.includes('authentication') ? 'authentication.k8s.io/v1' : GROUP;
  const answer = await sandbox.call('POST', where, { apiVersion, kind, ...body }, { 'User-Agent': 'asker/1' });
  return { code: answer.code, body: JSON.parse(answer.body) as JsonObject };
}

test('an answer carries the question, and who asked it', async () => {
  const { code, body } = await ask('SelfSubjectAccessReview', { spec: ATTRIBUTES });
  assert.equal(code, 201);
  assert.deepEqual(body['spec'], ATTRIBUTES);
  assert.deepEqual(body['status'], { allowed: true });
  assert.match(
    JSON.stringify(body['metadata']),
    /^\{"managedFields":\[\{"manager":"asker",.*"f:resourceAttributes":\{"\.":\{\},"f:namespace":\{\},"f:resource":\{\},"f:verb":\{\}\}/,
  );
});

test('the rules and the self of the caller come without the question', async () => {
  const rules = await ask('SelfSubjectRulesReview', { spec: { namespace: 'default' } });
  assert.deepEqual([rules.body['metadata'], rules.body['spec']], [{}, {}]);
  assert.deepEqual(objectAt(rules.body, 'status')?.['incomplete'], false);
  const self = await ask(
    'SelfSubjectReview',
    { metadata: { name: 'x' } },
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  );
  assert.deepEqual(Object.keys(objectAt(self.body, 'metadata') ?? {}), ['creationTimestamp']);
  assert.equal(textAt(objectAt(objectAt(self.body, 'status'), 'userInfo'), 'username'), 'kubernetes-admin');
});

const LOCAL = `/apis/${GROUP}/namespaces/default/localsubjectaccessreviews`;

const REFUSED: readonly {
  why: string;
  kind: string;
  body: JsonObject;
  where?: string;
  code: number;
  message: RegExp;
}[] = [
  {
    why: 'a name',
    kind: 'SelfSubjectAccessReview',
    body: { metadata: { name: 'x' }, spec: ATTRIBUTES },
    code: 422,
    message:
      /^\.authorization\.k8s\.io "" is invalid: metadata: Invalid value: \{"name":"x","managedFields":\[.*\]\}: must be empty$/,
  },
  {
    why: 'nothing to ask',
    kind: 'SelfSubjectAccessReview',
    body: { spec: {} },
    code: 422,
    message: /exactly one of nonResourceAttributes or resourceAttributes must be specified$/,
  },
  {
    why: 'no user to ask about',
    kind: 'SubjectAccessReview',
    body: { spec: ATTRIBUTES },
    code: 422,
    message: /spec\.user: Invalid value: "": at least one of user or group must be specified$/,
  },
  {
    why: 'another namespace than the path',
    kind: 'LocalSubjectAccessReview',
    body: { metadata: { namespace: 'x' }, spec: { ...ATTRIBUTES, user: 'u' } },
    where: LOCAL,
    code: 400,
    message: /^the namespace of the provided object does not match/,
  },
  {
    why: 'attributes without the namespace',
    kind: 'LocalSubjectAccessReview',
    body: { spec: { resourceAttributes: { verb: 'get' }, user: 'u' } },
    where: LOCAL,
    code: 422,
    message: /spec\.resourceAttributes\.namespace: Invalid value: "": must match metadata\.namespace$/,
  },
  {
    why: 'rules of no namespace',
    kind: 'SelfSubjectRulesReview',
    body: { spec: {} },
    code: 400,
    message: /^no namespace on request$/,
  },
  {
    why: 'no token',
    kind: 'TokenReview',
    body: { spec: {} },
    where: '/apis/authentication.k8s.io/v1/tokenreviews',
    code: 400,
    message: /^token is required for TokenReview in authentication$/,
  },
  {
    why: 'an unknown field',
    kind: 'SelfSubjectAccessReview',
    body: { spec: { ...ATTRIBUTES, nope: 1 } },
    where: `/apis/${GROUP}/selfsubjectaccessreviews?fieldValidation=Strict`,
    code: 400,
    message: /strict decoding error: unknown field "spec\.nope"$/,
  },
];

for (const { why, kind, body, where, code, message } of REFUSED) {
  test(`a ${kind} is refused for ${why}`, async () => {
    const answer = await ask(kind, body, where);
    assert.equal(answer.code, code);
    assert.match(textAt(answer.body, 'message'), message);
  });
}
