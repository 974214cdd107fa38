/** Paths and queries of random requests, from good to nonsense. */
import fc from 'fast-check';
import type { Harness } from './harness.ts';
import type { Kind } from './kinds.ts';

const NAMES = ['a', 'a', 'b'];

const oddName = fc.constantFrom(
  'A_B',
  '..',
  '.',
  '%2F',
  '%00',
  '%',
  '%zz',
  '%C3%A9',
  '%ED%A0%80',
  'x'.repeat(254),
  'a%20b',
  '__proto__',
  'constructor',
  'a:b',
  'a;b',
  '~',
  '%252e',
  'status',
  'default',
);

/** A name that often exists, so that requests collide. */
export function nameOf(kind: Kind, { group }: Harness): fc.Arbitrary<string> {
  const own =
    kind.plural === 'customresourcedefinitions'
      ? [`gadgets.${group}`, `widgets.${group}`, `widgets.${group}`]
      : kind.plural === 'apiservices'
        ? ['v1.agg.example.com', 'v1.']
        : NAMES;
  return fc.constantFrom(...own);
}

export function pathOf(kind: Kind, harness: Harness, name: string): fc.Arbitrary<string> {
  const namespace = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom(
        ...harness.namespaces,
        harness.namespaces[0] as string,
        harness.namespaces[0] as string,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('default', 'missing', '', 'kube-system') },
    { weight: 1, arbitrary: oddName },
  );
  return namespace.chain((of) => {
    const collection = kind.namespaced ? `${kind.base}/namespaces/${of}/${kind.plural}` : `${kind.base}/${kind.plural}`;
    const item = `${collection}/${name}`;
    return fc.oneof(
      { weight: 300, arbitrary: fc.constant(name === '' ? collection : item) },
      { weight: 4, arbitrary: fc.constantFrom(`${kind.base}/${kind.plural}`, collection, item) },
      {
        weight: 8,
        arbitrary: fc.constantFrom('', ...kind.subresources).map((sub) => (sub === '' ? item : `${item}/${sub}`)),
      },
      { weight: 4, arbitrary: oddName.map((odd) => `${collection}/${odd}`) },
      {
        weight: 3,
        arbitrary: fc
          .constantFrom(
            'status',
            'scale',
            'finalize',
            'proxy',
            'log',
            'exec',
            'portforward/80',
            'token',
            'nothing',
            'constructor',
          )
          .map((sub) => `${item}/${sub}`),
      },
      { weight: 3, arbitrary: nearly(item) },
      { weight: 1, arbitrary: fc.constant(item.replace(/\/(v1|v1beta1)\//, '/$1/watch/')) },
    );
  });
}

/** A path with one thing wrong in it. */
function nearly(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.nat(path.length).map((cut) => path.slice(0, cut)),
    fc.tuple(fc.nat(path.length), oddName).map(([cut, odd]) => path.slice(0, cut) + odd + path.slice(cut)),
    fc.constant(`${path}/`),
    fc.constant(path.replaceAll('/', '//')),
    fc.constant(path.toUpperCase()),
    fc.constant(`/${path}`),
    fc.constant([...path].map((c) => (c === '/' ? c : `%${c.charCodeAt(0).toString(16)}`)).join('')),
  );
}

const WELL_KNOWN = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/version',
  '/healthz',
  '/livez/ping',
  '/readyz?verbose',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1?hash=x',
  '/openapi/v3/nothing',
  '/metrics',
  '/logs',
  '/apis/nothing',
  '/apis/apps/v9',
  '/apis/__proto__/constructor',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/sandbox/faults',
  '/sandbox/faults/none',
  '/sandbox/nothing',
  '/api/v1/namespaces/%',
  '/api/v1/proxy/x',
  '*',
  '/%',
  '/?%',
];

/** Paths that are not resources, or do not exist. */
export const otherPath: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...WELL_KNOWN) },
  { weight: 10, arbitrary: fc.array(oddName, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`) },
  {
    weight: 10,
    arbitrary: fc
      .string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 80 })
      .map((text) => `/${text}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(10_000, 100_000).map((length) => `/api/v1/namespaces/${'x'.repeat(length)}`),
  },
);

const oddValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'true',
    'false',
    'TRUE',
    'x',
    '1.5',
    '99999999999999999999',
    '%00',
    '%',
    'All',
    'a,b',
    'null',
  ),
  fc.string({ maxLength: 10 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const SELECTORS = [
  'a',
  '!a',
  'a=b',
  'a==b',
  'a!=b',
  'a in (b,c)',
  'a notin ()',
  'a in',
  '(',
  'a=b,',
  ',',
  'a in (b',
  'a>1',
  'a<x',
  '-=-',
  'a==b==c',
  'é',
  '__proto__=x',
  `${'a,'.repeat(500)}a`,
];
const FIELDS = [
  'metadata.name=a',
  'metadata.namespace!=x',
  'status.phase=Running',
  'spec.color=red',
  'nothing=1',
  '=',
  'a',
  'a=\\',
  'a=b,c',
  'metadata.name',
  '__proto__=x',
  'involvedObject.name=a',
];

const PARAMETERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  limit: fc.constantFrom('1', '2', '0', '-1', 'x', '99999999999', '9223372036854775808'),
  continue: fc.oneof(
    oddValue,
    fc
      .constantFrom(
        { v: 'meta.k8s.io/v1', rv: 1, start: 'a\0' },
        { v: 'meta.k8s.io/v1', rv: -1, start: '../x' },
        { v: 'meta.k8s.io/v1', rv: 1e30, start: 'a' },
        { v: 'x' },
        null,
        [],
      )
      .map((token) => Buffer.from(JSON.stringify(token)).toString('base64url')),
  ),
  resourceVersion: fc.constantFrom('0', '1', '', 'x', '-1', '5', '99999999', '18446744073709551616', '1.0'),
  resourceVersionMatch: fc.constantFrom('Exact', 'NotOlderThan', 'x', ''),
  labelSelector: fc.constantFrom(...SELECTORS).map(encodeURIComponent),
  fieldSelector: fc.constantFrom(...FIELDS).map(encodeURIComponent),
  watch: fc.constantFrom('0', 'false', 'x', ''),
  allowWatchBookmarks: fc.constantFrom('true', 'x'),
  sendInitialEvents: fc.constantFrom('true', 'false', 'x'),
  timeoutSeconds: fc.constantFrom('1', '0', '-1', 'x', '1.5', '99999999999'),
  dryRun: fc.constantFrom('All', 'x', ''),
  fieldManager: fc.oneof(fc.constantFrom('m', 'n', 'x'.repeat(129), '%00', '%E2%80%AE'), oddValue),
  fieldValidation: fc.constantFrom('Strict', 'Warn', 'Ignore', 'x', ''),
  force: fc.constantFrom('true', 'false', 'x'),
  pretty: fc.constantFrom('true', 'x', ''),
  gracePeriodSeconds: fc.constantFrom('0', '1', '-1', 'x', '9223372036854775808'),
  propagationPolicy: fc.constantFrom('Foreground', 'Orphan', 'x'),
  orphanDependents: fc.constantFrom('true', 'false', 'x'),
  includeObject: fc.constantFrom('None', 'Object', 'Metadata', 'x'),
};

const parameter = fc
  .constantFrom(...Object.keys(PARAMETERS))
  .chain((key) =>
    fc
      .oneof({ weight: 5, arbitrary: PARAMETERS[key] as fc.Arbitrary<string> }, { weight: 1, arbitrary: oddValue })
      .map((value) => `${key}=${value}`),
  );
const noise = fc.constantFrom('', '&', '=', 'x', 'x=1&x=2', '%', '__proto__=1', 'constructor', '?');

export function queryOf(always: readonly string[] = []): fc.Arbitrary<string> {
  const some = fc.oneof(
    { weight: 4, arbitrary: fc.constant<string[]>([]) },
    { weight: 4, arbitrary: fc.array(parameter, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(noise, { maxLength: 3 }) },
  );
  return some.map((parts) => [...always, ...parts]).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`));
}
