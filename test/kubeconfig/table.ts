/**
 * Kubeconfigs of many kinds, for comparisons: client-go's result was recorded (client-go/), client-node's is computed
 * when the tests run. `$CA`, `$CERT`, `$KEY` (and `$…_DATA` in base64) stand for fixed certificates, so records stay
 * valid.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface KubeconfigCase {
  readonly name: string;
  /** By path in the case's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The files of KUBECONFIG, in order. */
  readonly list: readonly string[];
  readonly context?: string;
}

const pem = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');

export const certificates = { CA: pem('ca'), OTHER_CA: pem('other-ca'), CERT: pem('cert'), KEY: pem('key') };

/** The text with certificates in place of their names. */
export function filledIn(text: string): string {
  const encoded = (value: string): string => Buffer.from(value).toString('base64');
  const values: readonly (readonly [string, string])[] = [
    ['$WRAPPED_CA_DATA', encoded(certificates.CA).replaceAll(/.{1,64}/g, '      $&\n')],
    ['$BOTH_CA_DATA', encoded(certificates.CA + certificates.OTHER_CA)],
    ...Object.entries(certificates).flatMap(([name, value]): readonly (readonly [string, string])[] => [
      [`$${name}_DATA`, encoded(value)],
      [`$${name}`, value],
    ]),
  ];
  return values.reduce((rest, [name, value]) => rest.replaceAll(name, () => value), text);
}

/** Writes the files of a case into a folder. */
export function layOut({ files }: KubeconfigCase, folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), filledIn(content));
  }
}

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly rest?: string;
}

/** One of each, with fields in YAML's flow style. */
function config({ cluster = '', user = 'token: token-of-ann', context = '', rest = '' }: Parts = {}): string {
  const server = /\bserver:/.test(cluster) ? '' : 'server: https://east.example:6443, ';
  return `apiVersion: v1
kind: Config
clusters: [{ name: east, cluster: { ${server}${cluster} } }]
users: [{ name: ann, user: { ${user} } }]
contexts: [{ name: work, context: { cluster: east, user: ann, ${context} } }]
${rest.includes('current-context') ? '' : 'current-context: work\n'}${rest}`;
}

function one(name: string, parts: Parts = {}, files: Readonly<Record<string, string>> = {}): KubeconfigCase {
  return { name, files: { config: config(parts), ...files }, list: ['config'] };
}

function text(name: string, content: string): KubeconfigCase {
  return { name, files: { config: content }, list: ['config'] };
}

const pair = "client-certificate-data: '$CERT_DATA', client-key-data: '$KEY_DATA'";
const pairFiles = { 'pki/cert.pem': '$CERT', 'pki/key.pem': '$KEY' };
const PEER = `clusters:
- { name: west, cluster: { server: https://west.example } }
users:
- { name: bob, user: { token: token-of-bob } }
contexts:
- { name: play, context: { cluster: west, user: bob, namespace: games } }
`;

export const kubeconfigCases: readonly KubeconfigCase[] = [
  one('a token'),
  one('a namespace', { context: 'namespace: vms' }),
  one('a path prefix', { cluster: 'server: https://rancher.example/k8s/clusters/c-1' }),
  one('a slash at the end', { cluster: 'server: https://east.example:6443/' }),
  one('a path prefix with a slash at the end', { cluster: 'server: https://rancher.example/k8s/' }),
  one('a path prefix with a query', { cluster: 'server: "https://rancher.example/k8s?x=1#y"' }),
  one('an address of IPv6', { cluster: 'server: "https://[fd00::1]:6443"' }),
  one('a host in capitals', { cluster: 'server: https://EAST.example:6443' }),
  one('an inline authority', { cluster: "certificate-authority-data: '$CA_DATA'" }),
  one('two inline authorities', { cluster: "certificate-authority-data: '$BOTH_CA_DATA'" }),
  one('an authority in a file beside', { cluster: 'certificate-authority: ca.pem' }, { 'ca.pem': '$CA' }),
  one('an authority in a folder below', { cluster: 'certificate-authority: ./pki/ca.pem' }, { 'pki/ca.pem': '$CA' }),
  one('no check of the server', { cluster: 'insecure-skip-tls-verify: true' }),
  one('an explicit check of the server', { cluster: 'insecure-skip-tls-verify: false' }),
  one('a name of the server', { cluster: 'tls-server-name: api.east' }),
  one('an http proxy', { cluster: 'proxy-url: "http://proxy.example:3128"' }),
  one('an https proxy', { cluster: 'proxy-url: "https://proxy.example:3128"' }),
  one('compression off', { cluster: 'disable-compression: true' }),
  one('an inline client certificate', { user: pair }),
  one('an inline client certificate and a token', { user: `${pair}, token: token-of-ann` }),
  one('client certificate files', { user: 'client-certificate: pki/cert.pem, client-key: pki/key.pem' }, pairFiles),
  one(
    'a client certificate inline and its key in a file',
    { user: "client-certificate-data: '$CERT_DATA', client-key: pki/key.pem" },
    pairFiles,
  ),
  one('user and password', { user: 'username: ann, password: "p:ß"' }),
  one('impersonation of a user', { user: 'token: t, as: bob' }),
  one('impersonation with groups, uid and extra', {
    user: 'token: t, as: bob, as-uid: u-1, as-groups: [dev, ops], as-user-extra: { "example.com/Scope%": [a, b] }',
  }),
  one('an empty user', { user: '' }),
  one('extensions', {
    cluster: 'extensions: [{ name: x, extension: { anything: [1] } }]',
    context: 'extensions: [{ name: x, extension: {} }]',
    rest: 'preferences: { colors: true }\nextensions: [{ name: other, extension: { deep: { z: 1 } } }]\n',
  }),
  one('unknown fields', { cluster: 'unknown: 1', user: 'token: t, unknown: { a: 1 }', rest: 'unknown: []\n' }),
  one('null fields', { cluster: 'certificate-authority-data: null', user: 'token: t, exec: null, tokenFile: null' }),
  one('empty fields', { cluster: 'certificate-authority: "", proxy-url: ""', user: 'token: t, username: ""' }),
  text('JSON', JSON.stringify(asJson(), null, 2)),
  text('JSON with tabs', JSON.stringify(asJson(), null, '\t')),
  text('no apiVersion and no kind', config().replace(/^apiVersion.*\nkind.*\n/, '')),
  text('a document mark and comments', `# first\n---\n${config()}# last\n`),
  text('a byte order mark', `\uFEFF${config()}`),
  text('line ends of Windows', config().replaceAll('\n', '\r\n')),
  text(
    'base64 over several lines',
    `${config({ rest: '' }).replace(/clusters:.*\n/, '')}clusters:
- name: east
  cluster:
    server: https://east.example:6443
    certificate-authority-data: |
$WRAPPED_CA_DATA
`,
  ),
  text(
    'anchors and aliases',
    `x: &tls { tls-server-name: api.east, server: 'https://east.example' }
clusters: [{ name: east, cluster: *tls }]
users: [{ name: ann, user: { token: &t abc } }, { name: bob, user: { token: *t } }]
contexts: [{ name: work, context: { cluster: east, user: bob } }]
current-context: work
`,
  ),
  text(
    'a merge key',
    `x: &tls { tls-server-name: api.east }
clusters: [{ name: east, cluster: { <<: *tls, server: 'https://east.example' } }]
users: [{ name: ann, user: { token: abc } }]
contexts: [{ name: work, context: { cluster: east, user: ann } }]
current-context: work
`,
  ),
  text('names with spaces and signs', config().replaceAll('east,', '"arn:aws:eks:eu-1:1:cluster/my east",')),
  { ...one('another context', { rest: '' }), context: 'play', files: { config: both('work') } },
  { ...one('a context that is not there'), context: 'nowhere' },
  text('several contexts', both('play')),
  {
    name: 'a list of two files',
    files: { a: config(), b: PEER },
    list: ['a', 'b'],
  },
  {
    name: 'a list whose second file has the current context',
    files: { a: config({ rest: 'current-context: ""\n' }), b: `${PEER}current-context: play\n` },
    list: ['a', 'b'],
  },
  {
    name: 'a list whose files both have a current context',
    files: { a: config(), b: `${PEER}current-context: play\n` },
    list: ['a', 'b'],
  },
  {
    name: 'a list with a file that is missing',
    files: { a: config() },
    list: ['missing', 'a'],
  },
  {
    name: 'a list with the same names in both',
    files: {
      a: config(),
      b: config({ cluster: 'server: https://second.example, tls-server-name: mixed', user: pair }),
    },
    list: ['a', 'b'],
  },
  {
    name: 'a list with the same file twice and an empty entry',
    files: { a: config() },
    list: ['a', '', 'a'],
  },
  {
    name: 'a list over folders with paths of their own',
    files: {
      'one/config': config({ cluster: 'certificate-authority: ca.pem' }).replace(/users:.*\n/, ''),
      'one/ca.pem': '$CA',
      'two/config':
        'users: [{ name: ann, user: { client-certificate: ../pki/cert.pem, client-key: ../pki/key.pem } }]\n',
      ...pairFiles,
    },
    list: ['one/config', 'two/config'],
  },
  {
    name: 'a list with an empty file',
    files: { a: '', b: config() },
    list: ['a', 'b'],
  },
  one('a token file', { user: 'tokenFile: token' }, { token: 'token-of-file\n' }),
  one('a token and a token file', { user: 'token: inline, tokenFile: token' }, { token: 'token-of-file\n' }),
  one('plain http', { cluster: 'server: "http://east.example:8080"' }),
  one('plain http and impersonation', { cluster: 'server: "http://east.example:8080"', user: 'token: t, as: bob' }),
  one('an address without a scheme', { cluster: 'server: "east.example:8080"' }),
  one('a key without a certificate', { user: "token: t, client-key-data: '$KEY_DATA'" }),
  text('a context without a user', config().replace('user: ann, ', '')),
  text('a user without its part', config().replace(/users:.*/, 'users: [{ name: ann }]')),
  // Kubeconfigs that some or all refuse.
  text('a user that is not there', config().replace('name: ann', 'name: someone')),
  text('a cluster that is not there', config().replace('name: east', 'name: somewhere')),
  text('a current context that is not there', config().replace('current-context: work', 'current-context: play')),
  text('one context and no current context', config().replace('current-context: work', '')),
  text('two clusters of one name', config().replace(/clusters: \[(.*)\]/, 'clusters: [$1, $1]')),
  text('a field twice', config().replace('token: token-of-ann', 'token: a, token: b')),
  text('a token that is a number', config({ user: 'token: 12345' })),
  text('a token that YAML 1.1 took for true', config({ user: 'token: on' })),
  text('no YAML', 'clusters: [{'),
  text('an empty file', ''),
  text('another kind', config().replace('kind: Config', 'kind: Pod')),
  text('another version', config().replace('apiVersion: v1', 'apiVersion: v9')),
  one('no server', { cluster: 'server: ""' }),
  one('an authority that is no base64', { cluster: 'certificate-authority-data: "%%%"' }),
  one('an authority that is no certificate', { cluster: 'certificate-authority-data: bm9uZQ==' }),
  one(
    'an authority inline and in a file',
    { cluster: "certificate-authority-data: '$CA_DATA', certificate-authority: ca.pem" },
    { 'ca.pem': '$OTHER_CA' },
  ),
  one('an authority that is not checked', {
    cluster: "certificate-authority-data: '$CA_DATA', insecure-skip-tls-verify: true",
  }),
  one('an authority whose file is missing', { cluster: 'certificate-authority: nowhere.pem' }),
  one('a token and a password', { user: 'token: t, username: ann, password: x' }),
  one('a certificate without a key', { user: "client-certificate-data: '$CERT_DATA'" }),
  one('a key that does not fit', { user: "client-certificate-data: '$CA_DATA', client-key-data: '$KEY_DATA'" }),
  one('a certificate inline and in a file', { user: `${pair}, client-certificate: pki/cert.pem` }, pairFiles),
  one('groups without a user', { user: 'token: t, as-groups: [dev]' }),
  one('a socks5 proxy', { cluster: 'proxy-url: "socks5://proxy.example:1080"' }),
  one('an ftp proxy', { cluster: 'proxy-url: "ftp://proxy.example"' }),
  one('the auth provider gcp', { user: 'auth-provider: { name: gcp }' }),
  one('an exec plugin without a command', { user: 'exec: { apiVersion: client.authentication.k8s.io/v1 }' }),
  one('an exec plugin of v1alpha1', {
    user: 'exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: x }',
  }),
  one('an exec plugin without interactiveMode', {
    user: 'exec: { apiVersion: client.authentication.k8s.io/v1, command: x }',
  }),
  one('a token with a line break', { user: 'token: "a\\n"' }),
];

function both(current: string): string {
  return config({ rest: `current-context: ${current}\n` })
    .replace('clusters: [', 'clusters: [{ name: west, cluster: { server: "https://west.example" } }, ')
    .replace('users: [', 'users: [{ name: bob, user: { token: token-of-bob } }, ')
    .replace('contexts: [', 'contexts: [{ name: play, context: { cluster: west, user: bob, namespace: games } }, ');
}

function asJson(): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'east', cluster: { server: 'https://east.example:6443' } }],
    users: [{ name: 'ann', user: { token: 'token-of-ann' } }],
    contexts: [{ name: 'work', context: { cluster: 'east', user: 'ann' } }],
    'current-context': 'work',
  };
}
