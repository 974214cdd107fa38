import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { type Folder, identities, simple, throwAwayFolder } from '../../../../test/kubeconfig/harness.ts';
import { FakeClock } from '../fake-clock.ts';
import { KubeconfigError, loadKubeconfig, type LoadOptions } from './load.ts';

async function pod(folder: Folder): Promise<LoadOptions> {
  await folder.write('pod/token', 'token-of-pod\n');
  await folder.write('pod/namespace', 'pod-namespace\n');
  return {
    serviceAccountFolder: folder.at('pod'),
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443', HOME: folder.at('home') },
  };
}

const serverOfName = (name: string): object => simple({ cluster: { server: `https://${name}.example` } });

async function everywhere(context: TestContext): Promise<{ folder: Folder; options: LoadOptions }> {
  const folder = await throwAwayFolder(context);
  const options = await pod(folder);
  await folder.write('explicit', serverOfName('explicit'));
  await folder.write('listed', serverOfName('listed'));
  await folder.write('home/.kube/config', serverOfName('home'));
  return { folder, options: { ...options, env: { ...options.env, KUBECONFIG: folder.at('listed') } } };
}

async function failure(work: Promise<unknown>): Promise<KubeconfigError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KubeconfigError, String(error));
  return error;
}

describe('which one is taken', () => {
  test('the file that was named comes first', async (context) => {
    const { folder, options } = await everywhere(context);
    const { server } = await loadKubeconfig({ ...options, path: folder.at('explicit') });
    assert.equal(server, 'https://explicit.example');
  });

  test('then those of KUBECONFIG', async (context) => {
    const { options } = await everywhere(context);
    assert.equal((await loadKubeconfig(options)).server, 'https://listed.example');
  });

  test('then the one of the home folder', async (context) => {
    const { options } = await everywhere(context);
    const { server } = await loadKubeconfig({ ...options, env: { ...options.env, KUBECONFIG: '' } });
    assert.equal(server, 'https://home.example');
  });

  test('then the pod', async (context) => {
    const folder = await throwAwayFolder(context);
    const source = await loadKubeconfig(await pod(folder));
    assert.equal(source.server, 'https://[fd00::1]:6443');
    assert.equal(source.namespace, 'pod-namespace');
    assert.equal((await source.current()).headers['Authorization'], 'Bearer token-of-pod');
  });

  test('the pod as well where the listed files are missing or empty', async (context) => {
    const folder = await throwAwayFolder(context);
    const options = await pod(folder);
    await folder.write('empty', '');
    const env = { ...options.env, KUBECONFIG: `${folder.at('missing')}:${folder.at('empty')}` };
    assert.equal((await loadKubeconfig({ ...options, env })).server, 'https://[fd00::1]:6443');
  });

  test('nothing at all is an error that names where was looked', async (context) => {
    const folder = await throwAwayFolder(context);
    const error = await failure(loadKubeconfig({ env: { HOME: folder.path } }));
    assert.match(error.message, /there is none in .*\.kube\/config, and this process is not in a pod: set KUBECONFIG/);
  });

  test('a file that was named and is not there, or holds nothing, is an error even in a pod', async (context) => {
    const folder = await throwAwayFolder(context);
    const options = await pod(folder);
    const missing = await failure(loadKubeconfig({ ...options, path: folder.at('missing') }));
    assert.match(missing.message, /missing: it cannot be read \(ENOENT\)/);
    const empty = await failure(loadKubeconfig({ ...options, path: await folder.write('empty', '# nothing\n') }));
    assert.match(empty.message, /it is empty/);
  });

  test('a broken file in the list is an error that names it', async (context) => {
    const { folder, options } = await everywhere(context);
    await folder.write('broken', 'clusters: [');
    const env = { ...options.env, KUBECONFIG: `${folder.at('listed')}:${folder.at('broken')}` };
    const error = await failure(loadKubeconfig({ ...options, env }));
    assert.equal(error.file, folder.at('broken'));
  });
});

describe('a list of files', () => {
  test('is one kubeconfig: the first that names a thing decides all of it', async (context) => {
    const folder = await throwAwayFolder(context);
    await folder.write('a/config', {
      clusters: [{ name: 'east', cluster: { server: 'https://a.example', 'certificate-authority': 'ca' } }],
      users: [{ name: 'bob', user: { token: 'bob-of-a' } }],
    });
    await folder.write('b/config', {
      clusters: [{ name: 'east', cluster: { server: 'https://b.example', 'tls-server-name': 'not-mixed-in' } }],
      users: [{ name: 'ann', user: { tokenFile: 'token' } }],
      contexts: [{ name: 'work', context: { cluster: 'east', user: 'ann', namespace: 'of-b' } }],
      'current-context': 'work',
    });
    await folder.write('c/config', {
      contexts: [
        { name: 'work', context: { cluster: 'none', user: 'none' } },
        { name: 'play', context: { cluster: 'east', user: 'bob' } },
      ],
      'current-context': 'play',
    });
    const { authority } = await identities();
    await folder.write('a/ca', authority);
    await folder.write('b/token', 'ann-of-b');
    const list = ['a/config', 'missing', 'b/config', 'a/config', 'c/config'].map((name) => folder.at(name));
    const env = { KUBECONFIG: ['', ...list].join(':') };

    const source = await loadKubeconfig({ env });
    assert.deepEqual(await source.current(), {
      server: 'https://a.example',
      tls: { ca: authority },
      headers: { Authorization: 'Bearer ann-of-b' },
    });
    assert.equal(source.context, 'work');
    assert.equal(source.namespace, 'of-b');
    assert.deepEqual(source.contexts, [
      { name: 'work', cluster: 'east', user: 'ann', namespace: 'of-b' },
      { name: 'play', cluster: 'east', user: 'bob', namespace: undefined },
    ]);
    const other = await loadKubeconfig({ env, context: 'play' });
    assert.equal((await other.current()).headers['Authorization'], 'Bearer bob-of-a');
    assert.equal(other.namespace, 'default');
  });
});

describe('what makes no sense is refused by the name of the field', () => {
  const broken = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=';
  const base = simple() as { clusters: object[]; users: object[]; contexts: object[] };
  const cases: readonly { readonly config: object | string; readonly field: string; readonly reason: RegExp }[] = [
    { config: 'just text', field: '', reason: /must be a mapping/ },
    { config: '- a list', field: '', reason: /must be a mapping/ },
    { config: 'a: 1\n---\nb: 2', field: '', reason: /not valid YAML: MULTIPLE_DOCS at line 2/ },
    { config: 'a: [\n', field: '', reason: /not valid YAML: .* at line/ },
    { config: '{"a": 1', field: '', reason: /not valid YAML/ },
    { config: 'a: 1\na: 2', field: '', reason: /not valid YAML: DUPLICATE_KEY at line 2/ },
    { config: 'a: *nowhere', field: '', reason: /an alias/ },
    { config: { ...base, kind: 'Secret' }, field: 'kind', reason: /must be Config, not "Secret"/ },
    { config: { ...base, apiVersion: 'v2' }, field: 'apiVersion', reason: /must be v1/ },
    { config: { ...base, clusters: {} }, field: 'clusters', reason: /must be a list, not a mapping/ },
    { config: { ...base, clusters: ['east'] }, field: 'clusters[0]', reason: /must be a mapping/ },
    { config: { ...base, clusters: [{ cluster: {} }] }, field: 'clusters[0].name', reason: /is required/ },
    {
      config: { ...base, clusters: [...base.clusters, ...base.clusters] },
      field: 'clusters[east]',
      reason: /two entries of this name/,
    },
    { config: { ...base, contexts: [] }, field: 'current-context', reason: /no context "work"; there is none/ },
    { config: { ...base, contexts: [], 'current-context': '' }, field: 'contexts', reason: /there is none/ },
    {
      config: { ...base, 'current-context': '', contexts: [...base.contexts, { name: 'play', context: {} }] },
      field: 'current-context',
      reason: /several \("work", "play"\) and no current-context/,
    },
    { config: { ...base, clusters: [] }, field: 'contexts[work].context.cluster', reason: /no cluster "east"/ },
    { config: { ...base, users: [] }, field: 'contexts[work].context.user', reason: /no user "ann"/ },
    { config: simple({ context: { cluster: '' } }), field: 'contexts[work].context.cluster', reason: /is required/ },
    { config: simple({ cluster: { server: '' } }), field: 'clusters[east].cluster.server', reason: /is required/ },
    {
      config: simple({ cluster: { server: 'ftp://east' } }),
      field: 'clusters[east].cluster.server',
      reason: /not "ftp:"/,
    },
    {
      config: simple({ cluster: { server: 'https://ann:secret@east' } }),
      field: 'clusters[east].cluster.server',
      reason: /not contain a user or password/,
    },
    {
      config: simple({ cluster: { server: 'east.example/prefix' } }),
      field: 'clusters[east].cluster.server',
      reason: /must be a URL/,
    },
    {
      config: simple({ cluster: { 'proxy-url': 'socks5://secret@proxy:1080' } }),
      field: 'clusters[east].cluster.proxy-url',
      reason: /SOCKS proxies are not supported/,
    },
    {
      config: simple({ cluster: { 'proxy-url': 'ftp://proxy' } }),
      field: 'clusters[east].cluster.proxy-url',
      reason: /not "ftp:"/,
    },
    {
      config: simple({ cluster: { 'certificate-authority-data': '-----BEGIN' } }),
      field: 'clusters[east].cluster.certificate-authority-data',
      reason: /must be base64/,
    },
    {
      config: simple({ cluster: { 'certificate-authority-data': 'bm9uZQ==' } }),
      field: 'clusters[east].cluster.certificate-authority-data',
      reason: /no PEM certificate/,
    },
    {
      config: simple({ cluster: { 'certificate-authority-data': broken } }),
      field: 'clusters[east].cluster.certificate-authority-data',
      reason: /an invalid certificate/,
    },
    {
      config: simple({ cluster: { 'certificate-authority-data': broken, 'certificate-authority': 'ca' } }),
      field: 'clusters[east].cluster.certificate-authority-data',
      reason: /not both/,
    },
    {
      config: simple({ cluster: { 'certificate-authority-data': broken, 'insecure-skip-tls-verify': true } }),
      field: 'clusters[east].cluster.insecure-skip-tls-verify',
      reason: /remove one of them/,
    },
    {
      config: simple({ cluster: { 'insecure-skip-tls-verify': 'yes' } }),
      field: 'clusters[east].cluster.insecure-skip-tls-verify',
      reason: /must be true or false/,
    },
    { config: simple({ user: { token: 12_345 } }), field: 'users[ann].user.token', reason: /put it in quotes/ },
    { config: simple({ user: { token: 'secret\n' } }), field: 'users[ann].user.token', reason: /line breaks/ },
    {
      config: simple({ user: { token: 'secret', username: 'ann' } }),
      field: 'users[ann].user.token',
      reason: /not both/,
    },
    {
      config: simple({ user: { 'client-certificate': 'cert' } }),
      field: 'users[ann].user.client-key-data',
      reason: /is required with a client certificate/,
    },
    {
      config: simple({ user: { 'client-certificate': 'cert', 'client-certificate-data': 'bm9uZQ==' } }),
      field: 'users[ann].user.client-certificate-data',
      reason: /not both/,
    },
    {
      config: simple({ user: { 'client-certificate': 'cert', 'client-key': 'key', 'client-key-data': 'bm9uZQ==' } }),
      field: 'users[ann].user.client-key-data',
      reason: /not both/,
    },
    {
      config: simple({ user: { 'client-certificate-data': 'bm9uZQ==', 'client-key-data': 'bm9uZQ==' } }),
      field: 'users[ann].user.client-certificate-data',
      reason: /not a PEM certificate/,
    },
    { config: simple({ user: { 'as-groups': ['a'] } }), field: 'users[ann].user.as', reason: /is required/ },
    {
      config: simple({ user: { 'as-groups': [1] } }),
      field: 'users[ann].user.as-groups[0]',
      reason: /must be a string/,
    },
    { config: simple({ user: { as: 'a\nb' } }), field: 'users[ann].user.as', reason: /not contain control characters/ },
    {
      config: simple({ user: { 'auth-provider': { name: 'gcp' } } }),
      field: 'users[ann].user.auth-provider',
      reason: /"gcp" is not supported: use gke-gcloud-auth-plugin/,
    },
    {
      config: simple({ user: { 'auth-provider': { name: 'azure' } } }),
      field: 'users[ann].user.auth-provider',
      reason: /"azure" is not supported: use kubelogin/,
    },
    {
      config: simple({ user: { 'auth-provider': { name: 'oidc', config: { 'refresh-token': 'secret' } } } }),
      field: 'users[ann].user.auth-provider',
      reason: /"oidc" is not supported: use kubelogin/,
    },
  ];
  for (const [index, { config, field, reason }] of cases.entries())
    test(`${index + 1}. ${field || 'the document'}: ${reason.source}`, async (context) => {
      const folder = await throwAwayFolder(context);
      const path = await folder.write('config', config);
      const error = await failure(loadKubeconfig({ path }));
      assert.equal(error.field, field);
      assert.match(error.reason, reason);
      assert.doesNotMatch(error.message, /secret(?!")/);
    });
});

describe('what is sent', () => {
  const headers = async (context: TestContext, user: object, cluster: object = {}): Promise<unknown> => {
    const folder = await throwAwayFolder(context);
    const path = await folder.write('config', simple({ user, cluster }));
    return (await (await loadKubeconfig({ path, clock: new FakeClock() })).current()).headers;
  };

  test('user and password as Basic, in UTF-8', async (context) => {
    const value = `Basic ${Buffer.from('ann:pässword').toString('base64')}`;
    assert.deepEqual(await headers(context, { username: 'ann', password: 'pässword' }), { Authorization: value });
  });

  test('impersonation, with a header for each group and extra value', async (context) => {
    const user = {
      token: 't',
      as: 'bob',
      'as-uid': 'u-1',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { 'example.com/Scope%': ['a', 'b'], empty: [] },
    };
    assert.deepEqual(await headers(context, user), {
      Authorization: 'Bearer t',
      'Impersonate-User': 'bob',
      'Impersonate-Uid': 'u-1',
      'Impersonate-Group': ['dev', 'ops'],
      'Impersonate-Extra-example.com%2FScope%25': ['a', 'b'],
    });
  });

  test('names beyond ASCII as the bytes of UTF-8', async (context) => {
    assert.deepEqual(await headers(context, { as: 'bjørn' }), {
      'Impersonate-User': Buffer.from('bjørn').toString('latin1'),
    });
  });

  test('no credentials over plain http, as by kubectl', async (context) => {
    assert.deepEqual(await headers(context, { token: 't', as: 'bob' }, { server: 'http://east.example' }), {
      'Impersonate-User': 'bob',
    });
  });
});

describe('where the server is', () => {
  for (const [server, expected] of [
    ['https://east.example:6443', 'https://east.example:6443'],
    ['https://east.example/', 'https://east.example'],
    ['https://east.example:443/', 'https://east.example'],
    ['https://east.example/k8s/clusters/c-1/', 'https://east.example/k8s/clusters/c-1'],
    ['https://east.example/prefix?query=1#fragment', 'https://east.example/prefix'],
    ['https://[fd00::1]:6443', 'https://[fd00::1]:6443'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['10.0.0.1:6443', 'http://10.0.0.1:6443'],
    ['east.example', 'http://east.example'],
  ] as const)
    test(`${server} is ${expected}`, async (context) => {
      const folder = await throwAwayFolder(context);
      const path = await folder.write('config', simple({ cluster: { server } }));
      const source = await loadKubeconfig({ path });
      assert.equal(source.server, expected);
      assert.equal((await source.current()).server, expected);
    });
});
