import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestCluster, until } from '../admission/cluster.fixture.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { textMapAt } from '../../objects/kinds/values/fields.ts';
import { TokenRefused } from '../../server/service-account-claims.ts';
import { createTokenKeys, ISSUER, ServiceAccountTokens } from '../../server/service-account-tokens.ts';
import { markTokenUsed, TokenSecretsController } from './token-secrets.ts';

const cluster = new TestCluster();
let tokens: ServiceAccountTokens;
before(async () => {
  const { store, client } = cluster;
  await cluster.namespace('ns');
  tokens = await ServiceAccountTokens.load(store, await createTokenKeys(), (namespace, name) =>
    markTokenUsed(store, client, namespace, name),
  );
  const deps = { store, client, tokens, authority: 'the authority' };
  cluster.run(new TokenSecretsController(deps, (error) => assert.fail(String(error))));
});
after(() => cluster.stop());

const account = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns', name },
});

const secret = (name: string, owner: string, annotations: { [key: string]: string } = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/service-account-token',
  metadata: { namespace: 'ns', name, annotations: { 'kubernetes.io/service-account.name': owner, ...annotations } },
});

const dataOf = (object: KubeObject): { [key: string]: string } =>
  Object.fromEntries(
    Object.entries(textMapAt(cluster.get(object), 'data')).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]),
  );

async function filled(name: string, owner: string): Promise<KubeObject> {
  const made = await cluster.create(secret(name, owner));
  await until('the token', () => dataOf(made)['token'] !== undefined);
  return made;
}

const refused = (message: string): ((error: unknown) => boolean) => {
  return (error) => error instanceof TokenRefused && error.message === message;
};

test('a Secret is filled with a token that stands for its account', async () => {
  const owner = await cluster.create(account('filled'));
  const made = await filled('filled', 'filled');
  const { token = '', ...rest } = dataOf(made);
  assert.deepEqual(rest, { 'ca.crt': 'the authority', namespace: 'ns' });
  assert.equal(cluster.get(made).metadata.annotations?.['kubernetes.io/service-account.uid'], owner.metadata.uid);
  assert.deepEqual(await tokens.review(token, [ISSUER]), {
    user: {
      name: 'system:serviceaccount:ns:filled',
      uid: owner.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
    audiences: [ISSUER],
  });
  const today = new Date().toISOString().slice(0, 10);
  assert.equal(cluster.get(made).metadata.labels?.['kubernetes.io/legacy-token-last-used'], today);
});

test('what was taken out of a Secret is put back, and the old token is no longer good', async () => {
  await cluster.create(account('again'));
  const made = await filled('again', 'again');
  const { token = '' } = dataOf(made);
  await cluster.update(made, (live) => (live['data'] = { namespace: Buffer.from('mine').toString('base64') }));
  await until('the new token', () => dataOf(made)['token'] !== undefined);
  assert.deepEqual(Object.keys(dataOf(made)).toSorted(), ['ca.crt', 'namespace', 'token']);
  assert.equal(dataOf(made)['namespace'], 'mine');
  assert.equal(dataOf(made)['ca.crt'], 'the authority');
  await assert.rejects(tokens.review(token, [ISSUER]), refused("Token does not match server's copy"));
});

for (const [why, annotations] of [
  ['no account', {}],
  ['another account of the name', { 'kubernetes.io/service-account.uid': 'x' }],
] as const) {
  test(`a Secret of ${why} is deleted`, async () => {
    if (why !== 'no account') await cluster.create(account('known'));
    const made = await cluster.create(secret(`gone-${Object.keys(annotations).length}`, 'known', annotations));
    await until('the Secret to be gone', () => cluster.find(made) === undefined);
  });
}

test('a Secret goes with its account, and its token with the Secret', async () => {
  const owner = await cluster.create(account('leaving'));
  const made = await filled('leaving', 'leaving');
  const { token = '' } = dataOf(made);
  await cluster.delete(owner);
  await until('the Secret to be gone', () => cluster.find(made) === undefined);
  await assert.rejects(tokens.review(token, [ISSUER]), refused('Token has been invalidated'));
  assert.equal(await tokens.verify(token), undefined);
});

test('an account forgets a Secret that is gone', async () => {
  const owner = await cluster.create(account('listing'));
  const made = await filled('listed', 'listing');
  await cluster.update(owner, (live) => (live['secrets'] = [{ name: 'listed' }, { name: 'other' }]));
  await cluster.delete(made);
  await until('the list to be shorter', () => {
    const { secrets } = cluster.get(owner) as JsonObject;
    return Array.isArray(secrets) && secrets.length === 1;
  });
  assert.deepEqual(cluster.get(owner)['secrets'], [{ name: 'other' }]);
});

test('a token that was marked as invalid is refused', async () => {
  await cluster.create(account('marked'));
  const made = await filled('marked', 'marked');
  await cluster.update(
    made,
    ({ metadata }) => (metadata.labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' }),
  );
  await assert.rejects(
    tokens.review(dataOf(made)['token'] ?? '', [ISSUER]),
    /^Error: the token in secret ns\/marked for service account ns\/marked has been marked invalid\./,
  );
});
