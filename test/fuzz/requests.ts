/** Random requests: combines the parts of the neighboring files, in proportions that keep the store busy. */
import fc from 'fast-check';
import type { OutgoingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { schemaOf, deleteBody, objectBody, patchBody, type TypedBody } from './bodies.ts';
import { gadgetDefinition, type Harness } from './harness.ts';
import { kindsOf, type Kind } from './kinds.ts';
import type { FuzzRequest, Manner } from './request.ts';
import { nameOf, otherPath, pathOf, queryOf } from './targets.ts';

const ACCEPTS = [
  'application/json',
  'application/yaml',
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/json;as=Nothing;v=v1;g=x',
  'text/html',
  'application/json;stream=watch',
  ';;,,q=',
  '__proto__',
  'x'.repeat(5000),
];

/** Usually one odd header at a time: several would only hide each other. */
const oddHeader: fc.Arbitrary<OutgoingHttpHeaders> = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...ACCEPTS).map((accept) => ({ accept })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('gzip', 'br', 'identity', '*').map((value) => ({ 'accept-encoding': value })),
  },
  { weight: 2, arbitrary: fc.constantFrom('x', '"x"', '*', '').map((value) => ({ 'if-none-match': value })) },
  { weight: 1, arbitrary: fc.constantFrom('gzip', 'deflate', 'x').map((value) => ({ 'content-encoding': value })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('curl/8', 'kubectl/v1.36', '\u00e9/1', '/', 'x'.repeat(300), 'constructor')
      .map((value) => ({ 'user-agent': value })),
  },
  { weight: 1, arbitrary: fc.constant({ expect: '100-continue' }) },
  { weight: 1, arbitrary: fc.constantFrom('somebody', '').map((value) => ({ 'impersonate-user': value })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('Bearer x', 'Basic eDp5', '', 'Bearer a.b.c')
      .map((authorization) => ({ authorization })),
  },
);

const headers: fc.Arbitrary<OutgoingHttpHeaders> = fc.oneof(
  { weight: 16, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: oddHeader },
  { weight: 1, arbitrary: fc.tuple(oddHeader, oddHeader).map(([one, other]) => ({ ...one, ...other })) },
);

interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body?: TypedBody | undefined;
}

function finished(draft: fc.Arbitrary<Draft>): fc.Arbitrary<FuzzRequest> {
  const manner = fc.oneof(
    { weight: 40, arbitrary: fc.constant<Manner>('whole') },
    { weight: 1, arbitrary: fc.constant<Manner>('half-sent') },
  );
  return fc.tuple(draft, headers, manner).map(([of, given, drawn]) => ({
    method: of.method,
    target: of.path + of.query,
    headers: { ...given, ...(of.body === undefined || of.body.type === '' ? {} : { 'content-type': of.body.type }) },
    body: of.body?.bytes,
    // An odd parameter may make any request a watch, which would never end.
    manner: /watch/.test(of.path + of.query) ? 'watch' : of.body === undefined ? 'whole' : drawn,
  }));
}

/** Requests against one set of objects. */
export function requestOver(harness: Harness): fc.Arbitrary<FuzzRequest> {
  const all = kindsOf(harness);
  const stored = all.filter(({ createOnly }) => createOnly !== true);
  const gadgets = stored.filter(({ plural }) => plural === 'gadgets');
  const kind = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...stored) },
    { weight: 1, arbitrary: fc.constantFrom(...gadgets) },
  );
  return finished(
    fc.oneof(
      { weight: 26, arbitrary: kind.chain((of) => create(of, harness)) },
      { weight: 2, arbitrary: fc.constantFrom(...all).chain((of) => create(of, harness)) },
      { weight: 14, arbitrary: kind.chain((of) => update(of, harness)) },
      { weight: 30, arbitrary: kind.chain((of) => patch(of, harness)) },
      { weight: 5, arbitrary: kind.chain((of) => remove(of, harness)) },
      { weight: 12, arbitrary: kind.chain((of) => read(of, harness)) },
      { weight: 3, arbitrary: kind.chain((of) => watch(of, harness)) },
      { weight: 4, arbitrary: definition(harness) },
      { weight: 5, arbitrary: elsewhere() },
    ),
  );
}

const carefully = (kind: Kind): string[] => (kind.careful === true ? ['dryRun=All'] : []);
const named = ({ example }: Kind, name: string): JsonObject => ({ ...example, metadata: { name } });

function create(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  return nameOf(kind, harness).chain((name) =>
    fc.record({
      method: fc.constant('POST'),
      path: pathOf(kind, harness, ''),
      query: queryOf(carefully(kind)),
      body: objectBody(named(kind, name)),
    }),
  );
}

function update(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  return nameOf(kind, harness).chain((name) =>
    fc.record({
      method: fc.constant('PUT'),
      path: pathOf(kind, harness, name),
      query: queryOf(carefully(kind)),
      body: objectBody(named(kind, name)),
    }),
  );
}

function patch(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  const manager = fc.constantFrom('fieldManager=m', 'fieldManager=n', 'fieldManager=m&force=true');
  return fc.tuple(nameOf(kind, harness), manager).chain(([name, by]) =>
    patchBody(named(kind, name)).chain((body) => {
      const applies = body.type === 'application/apply-patch+yaml' ? [by] : [];
      return fc.record({
        method: fc.constant('PATCH'),
        path: pathOf(kind, harness, name),
        query: queryOf([...carefully(kind), ...applies]),
        body: fc.constant(body),
      });
    }),
  );
}

function remove(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  const wanted = fc.oneof(
    { weight: 8, arbitrary: nameOf(kind, harness) },
    { weight: kind.namespaced ? 1 : 0, arbitrary: fc.constant('') },
  );
  return wanted.chain((name) =>
    fc.record({
      method: fc.constant('DELETE'),
      path: pathOf(kind, harness, name),
      query: queryOf(carefully(kind)),
      body: carefulDelete(kind),
    }),
  );
}

/** Options in the body would override dryRun in the query. */
const carefulDelete = (kind: Kind): fc.Arbitrary<TypedBody | undefined> =>
  kind.careful === true ? fc.constant(undefined) : deleteBody();

function read(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  const wanted = fc.oneof(nameOf(kind, harness), fc.constant(''));
  const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'LOCK');
  return wanted.chain((name) => fc.record({ method, path: pathOf(kind, harness, name), query: queryOf() }));
}

function watch(kind: Kind, harness: Harness): fc.Arbitrary<Draft> {
  return fc.record({ method: fc.constant('GET'), path: pathOf(kind, harness, ''), query: queryOf(['watch=true']) });
}

/** Definitions with random schemas, and now and then one that is valid and so is served. */
function definition(harness: Harness): fc.Arbitrary<Draft> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return fc.record({ schema: schemaOf(2), update: fc.boolean() }).map(({ schema, update: again }) => {
    const object = gadgetDefinition(harness.group);
    const text = JSON.stringify(object)
      .replaceAll('gadget', 'widget')
      .replaceAll('Gadget', 'Widget')
      .replace('"gd"', '"wd"');
    const changed = JSON.parse(text) as { metadata: { name: string }; spec: { versions: { schema: JsonObject }[] } };
    for (const version of changed.spec.versions)
      version.schema = { openAPIV3Schema: { type: 'object', properties: { spec: schema } } };
    const bytes = Buffer.from(JSON.stringify(again ? { spec: changed.spec } : changed));
    return again
      ? {
          method: 'PATCH',
          path: `${path}/${changed.metadata.name}`,
          query: '',
          body: { type: 'application/merge-patch+json', bytes },
        }
      : { method: 'POST', path, query: '', body: { type: 'application/json', bytes } };
  });
}

function elsewhere(): fc.Arbitrary<Draft> {
  const method = fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND');
  return fc.record({ method, path: otherPath, query: queryOf() });
}
