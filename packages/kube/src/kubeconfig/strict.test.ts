import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { base64, identities, simple } from '../../../../test/kubeconfig/harness.ts';
import { KubeconfigError, strictKubeconfig, type StrictOptions } from './load.ts';

const env = {};

function failure(text: string, options: StrictOptions = { env }): KubeconfigError {
  try {
    strictKubeconfig(text, options);
  } catch (error) {
    assert.ok(error instanceof KubeconfigError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'it was accepted' });
}

async function full(): Promise<object> {
  const { authority, first } = await identities();
  return simple({
    cluster: {
      server: 'https://east.example:6443/prefix',
      'certificate-authority-data': base64(authority),
      'tls-server-name': 'api.east',
      'proxy-url': 'http://proxy.example:3128',
      'disable-compression': true,
    },
    user: {
      token: 'token-of-ann',
      'client-certificate-data': base64(first.certificate),
      'client-key-data': base64(first.key),
    },
    context: { namespace: 'vms' },
  });
}

describe('a kubeconfig out of a Secret', () => {
  for (const format of ['YAML', 'JSON', 'JSON with tabs'])
    test(`holds what a connection needs, as ${format}`, async () => {
      const { authority, first } = await identities();
      const config = await full();
      const text = format === 'YAML' ? stringify(config) : JSON.stringify(config, null, format === 'JSON' ? 2 : '\t');
      const source = strictKubeconfig(text, { env });
      const connection = await source.current();
      assert.deepEqual(connection, {
        server: 'https://east.example:6443/prefix',
        tls: { ca: authority, cert: first.certificate, key: first.key, serverName: 'api.east' },
        headers: { Authorization: 'Bearer token-of-ann' },
        proxyUrl: 'http://proxy.example:3128',
      });
      assert.equal(await source.current(), connection);
      assert.equal(await source.refused(connection), false);
      assert.equal(source.namespace, 'vms');
    });

  const secret = 'do-not-tell';
  const refused: readonly { readonly config: object; readonly field: string; readonly reason: RegExp }[] = [
    {
      config: simple({ user: { exec: { command: 'sh', args: ['-c', secret] } } }),
      field: 'users[ann].user.exec',
      reason: /exec plugins are not allowed in a Secret, because they would run here: give a token/,
    },
    { config: simple({ user: { exec: {} } }), field: 'users[ann].user.exec', reason: /exec plugins/ },
    {
      config: simple({ user: { 'auth-provider': { name: 'oidc', config: { 'id-token': secret } } } }),
      field: 'users[ann].user.auth-provider',
      reason: /auth providers are not allowed/,
    },
    {
      config: simple({ user: { tokenFile: secret } }),
      field: 'users[ann].user.tokenFile',
      reason: /put the token itself/,
    },
    {
      config: simple({ user: { 'client-certificate': secret } }),
      field: 'users[ann].user.client-certificate',
      reason: /client-certificate-data/,
    },
    {
      config: simple({ user: { 'client-key': secret } }),
      field: 'users[ann].user.client-key',
      reason: /client-key-data/,
    },
    {
      config: simple({ cluster: { 'certificate-authority': secret } }),
      field: 'clusters[east].cluster.certificate-authority',
      reason: /certificate-authority-data/,
    },
    {
      config: simple({ user: { username: secret } }),
      field: 'users[ann].user.username',
      reason: /no longer supports passwords/,
    },
    {
      config: simple({ user: { password: secret } }),
      field: 'users[ann].user.password',
      reason: /no longer supports passwords/,
    },
    { config: simple({ user: { token: 't', as: secret } }), field: 'users[ann].user.as', reason: /impersonation/ },
    {
      config: simple({ user: { token: 't', 'as-groups': [secret] } }),
      field: 'users[ann].user.as-groups',
      reason: /impersonation/,
    },
    {
      config: simple({ user: { token: 't', tokenfile: secret } }),
      field: 'users[ann].user.tokenfile',
      reason: /not supported; supported are token, client-certificate-data/,
    },
    {
      config: simple({ user: { token: 't', [`token ${secret}`]: true } }),
      field: 'users[ann].user.(a field)',
      reason: /not supported/,
    },
    {
      config: simple({ cluster: { 'insecure-skip-tls-verify': true } }),
      field: 'clusters[east].cluster.insecure-skip-tls-verify',
      reason: /anyone on the network path could take the credentials: remove it/,
    },
    {
      config: simple({ cluster: { server: 'http://east.example' } }),
      field: 'clusters[east].cluster.server',
      reason: /must begin with https:\/\//,
    },
    {
      config: simple({ cluster: { server: 'east.example:6443' } }),
      field: 'clusters[east].cluster.server',
      reason: /must begin with https:\/\//,
    },
    {
      config: simple({ cluster: { 'proxy-url': `socks5://${secret}@proxy` } }),
      field: 'clusters[east].cluster.proxy-url',
      reason: /SOCKS/,
    },
    { config: simple({ user: {} }), field: 'users[ann].user', reason: /must have a token, or client-certificate-data/ },
    { config: simple({ context: { user: '' } }), field: 'contexts[work].context.user', reason: /is required/ },
    {
      config: simple({ context: { namespace: '../kube-system' } }),
      field: 'contexts[work].context.namespace',
      reason: /lower-case letters/,
    },
    {
      config: simple({ user: { token: `${secret}\n` } }),
      field: 'users[ann].user.token',
      reason: /line breaks/,
    },
    {
      config: simple({ user: { 'client-certificate-data': secret, 'client-key-data': secret } }),
      field: 'users[ann].user.client-certificate-data',
      reason: /must be base64/,
    },
    {
      config: simple({ user: { 'client-certificate-data': base64(secret) } }),
      field: 'users[ann].user.client-key-data',
      reason: /is required with/,
    },
  ];
  for (const { config, field, reason } of refused)
    test(`${field} is refused: ${reason.source}`, () => {
      const error = failure(stringify(config));
      assert.equal(error.field, field);
      assert.match(error.reason, reason);
      assert.ok(!error.message.includes(secret), error.message);
    });

  test('a user that is not in use is looked at as well', () => {
    const config = simple() as { users: object[] };
    const text = stringify({ ...config, users: [...config.users, { name: 'bob', user: { exec: { command: 'sh' } } }] });
    assert.equal(failure(text).field, 'users[bob].user.exec');
  });

  test('insecure-skip-tls-verify is accepted where the one who runs us said so', async () => {
    const text = stringify(simple({ cluster: { 'insecure-skip-tls-verify': true } }));
    const source = strictKubeconfig(text, { env, allowInsecure: true });
    assert.deepEqual((await source.current()).tls, { insecureSkipVerify: true });
  });

  for (const text of ['', '\n', '# a comment', 'null', '""'])
    test(`${JSON.stringify(text)} is empty`, () => {
      assert.match(failure(text).message, /it is empty/);
    });

  test('a context of one may go without current-context, several may not', () => {
    const config = simple() as { contexts: object[] };
    const one = { ...config, 'current-context': undefined };
    assert.equal(strictKubeconfig(stringify(one), { env }).context, 'work');
    const two = { ...one, contexts: [...config.contexts, { name: 'play', context: { cluster: 'east', user: 'ann' } }] };
    assert.equal(failure(stringify(two)).field, 'current-context');
    assert.equal(strictKubeconfig(stringify(two), { env, context: 'play' }).context, 'play');
  });

  test('an alias that would fill the memory is refused', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? 'l0: &l0 [x, x, x, x, x, x, x, x]' : `l${level}: &l${level} [${`*l${level - 1}, `.repeat(8)}]`,
    );
    assert.match(failure(levels.join('\n')).message, /too many/);
  });

  const hostile: readonly { readonly what: string; readonly text: string; readonly reason: RegExp }[] = [
    { what: 'explicit keys, for which the parser needs a minute', text: '? {'.repeat(500), reason: /marked by "\?"/ },
    { what: 'nested lists', text: '['.repeat(50_000), reason: /nested deeper/ },
    { what: 'nested lists behind closed ones', text: ']'.repeat(100) + '['.repeat(100), reason: /nested deeper/ },
    { what: 'nested mappings', text: '{a: '.repeat(50_000), reason: /nested deeper/ },
    {
      what: 'more keys than can be compared with each other',
      text: Array.from({ length: 60_000 }, (_, i) => `k${i}: v`).join('\n'),
      reason: /larger than a kubeconfig/,
    },
    { what: 'the same key twice', text: 'a: 1\nb: { c: 1, c: 2 }', reason: /DUPLICATE_KEY at line 2/ },
    {
      what: 'a field by the name of an object',
      text: 'users: [{ name: u, user: { constructor: x } }]',
      reason: /not supported/,
    },
  ];
  for (const { what, text, reason } of hostile)
    test(`is refused at once with ${what}`, () => assert.match(failure(text).message, reason));

  test('however a kubeconfig is broken, the error is ours and tells nothing of its secrets', async () => {
    const text = stringify(await full()).replace('token-of-ann', 'S3CRET'.repeat(20));
    const { first } = await identities();
    const secrets = ['S3CRET'.repeat(4), base64(first.key).slice(40, 60), first.key.slice(40, 60)];
    const edit = fc.record({
      at: fc.nat(text.length),
      drop: fc.nat(30),
      insert: fc.oneof(
        fc.constantFrom('\n', ' ', ':', '"', "'", '{', '}', '[', ']', '*', '&', '!', '|', '\t', '- '),
        fc.string(),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const broken = edits.reduce(
          (rest, { at, drop, insert }) => rest.slice(0, at) + insert + rest.slice(at + drop),
          text,
        );
        try {
          strictKubeconfig(broken, { env });
        } catch (error) {
          assert.ok(error instanceof KubeconfigError, String(error));
          const told = `${error.message}\n${error.stack}\n${JSON.stringify(error)}`;
          for (const one of secrets) assert.ok(!told.includes(one), told);
        }
      }),
      { numRuns: 400 },
    );
  });
});
