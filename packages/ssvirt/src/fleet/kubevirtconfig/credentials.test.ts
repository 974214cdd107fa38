import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialsOf } from './credentials.ts';
import { secretKeyOf, type KubevirtConfig } from './kubevirt-config.ts';

const secretToken = 'tok-9f8e7d6c5b';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfig({ cluster = '', user = `token: ${secretToken}` } = {}): string {
  return `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:6443"${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`;
}

const exec = `exec: { apiVersion: client.authentication.k8s.io/v1, command: steal-${secretToken}, interactiveMode: Never }`;

const cases: readonly { reason: string; data: Record<string, string> | undefined; expected: string; text: RegExp }[] = [
  {
    reason: 'no data',
    data: undefined,
    expected: 'KubeconfigMissing',
    text: /Secret "configs\/east" has no key "kubeconfig"/,
  },
  { reason: 'another key', data: { config: base64(kubeconfig()) }, expected: 'KubeconfigMissing', text: /no key/ },
  { reason: 'an empty value', data: { kubeconfig: '' }, expected: 'KubeconfigMissing', text: /no key/ },
  {
    reason: 'no YAML',
    data: { kubeconfig: base64(`{ ${secretToken}: [`) },
    expected: 'KubeconfigInvalid',
    text: /not valid YAML/,
  },
  { reason: 'a list', data: { kubeconfig: base64('- a') }, expected: 'KubeconfigInvalid', text: /mapping/ },
  {
    reason: 'an exec plugin',
    data: { kubeconfig: base64(kubeconfig({ user: exec })) },
    expected: 'KubeconfigRefused',
    text: /user\.exec/,
  },
  {
    reason: 'an auth provider',
    data: { kubeconfig: base64(kubeconfig({ user: 'auth-provider: { name: gcp }' })) },
    expected: 'KubeconfigRefused',
    text: /auth-provider/,
  },
  {
    reason: 'a token file',
    data: { kubeconfig: base64(kubeconfig({ user: 'tokenFile: /etc/passwd' })) },
    expected: 'KubeconfigRefused',
    text: /tokenFile/,
  },
  {
    reason: 'the path of an authority',
    data: { kubeconfig: base64(kubeconfig({ cluster: ', certificate-authority: /etc/passwd' })) },
    expected: 'KubeconfigRefused',
    text: /certificate-authority/,
  },
  {
    reason: 'no check of certificates',
    data: { kubeconfig: base64(kubeconfig({ cluster: ', insecure-skip-tls-verify: true' })) },
    expected: 'KubeconfigRefused',
    text: /insecure-skip-tls-verify/,
  },
];

for (const { reason, data, expected, text } of cases) {
  test(`a Secret with ${reason} gives ${expected}, and nothing of its content`, () => {
    const metadata = { namespace: 'configs', name: 'east', resourceVersion: '7' };
    const { outcome } = credentialsOf(data === undefined ? { metadata } : { metadata, data });
    assert.ok('failure' in outcome);
    assert.equal(outcome.failure.reason, expected);
    assert.match(outcome.failure.message, text);
    assert.doesNotMatch(outcome.failure.message, new RegExp(secretToken));
  });
}

test('a Secret with a token gives a connection, and the version that it was read in', async () => {
  const metadata = { namespace: 'configs', name: 'east', resourceVersion: '7' };
  const { outcome, version } = credentialsOf({ metadata, data: { kubeconfig: base64(kubeconfig()) } });
  assert.ok('source' in outcome);
  assert.equal((await outcome.source.current()).server, 'https://127.0.0.1:6443');
  assert.equal(version, 'configs/east@7');
});

test('a KubevirtConfig that lacks what the definition demands still has a key, and so takes no other down', () => {
  const bare = { metadata: { namespace: 'configs', name: 'bare' } } as KubevirtConfig;
  assert.deepEqual(secretKeyOf(bare), { namespace: 'configs', name: '' });
});
