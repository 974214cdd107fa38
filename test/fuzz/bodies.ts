/** Bodies of random requests: good objects, objects with a defect, patches, and meaningless bytes. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../packages/sandbox/src/values/json.ts';

export interface TypedBody {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Keys that mean something to JavaScript, to Kubernetes, or to neither. */
const oddKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  'a/b',
  'a.b/c',
  '~0',
  '$patch',
  '$setElementOrder/x',
  '$retainKeys',
  '\ud800',
  'é',
  '0',
  '-',
);
const oddText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '💥',
  '__proto__',
  'null',
  'true',
  '1e400',
  '-1',
  '1Gi',
  '9999999999999999999999',
  '2024-01-01T00:00:00Z',
  '2024-13-41',
  '0x1F',
  'a'.repeat(300),
  '../..',
  '%00',
  '\r\nX: y',
  '10.0.0.1',
  '::1',
  '*',
  '{}',
  'a=b',
  '\u202e',
);
const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  1e300,
  5e-324,
  65536,
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.oneof(oddKey, fc.string({ maxLength: 5 })), tie('value'), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).value;

interface Change {
  readonly at: number;
  readonly what: 'replace' | 'remove' | 'add' | 'wrap' | 'double';
  readonly key: string;
  readonly value: Json;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1000),
  what: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'add', 'wrap', 'double'),
  key: fc.oneof(
    oddKey,
    fc.constantFrom(
      'name',
      'spec',
      'metadata',
      'labels',
      'finalizers',
      'ownerReferences',
      'managedFields',
      'annotations',
      'status',
      'generateName',
      'deletionTimestamp',
      'resourceVersion',
      'uid',
    ),
  ),
  value: anyJson,
});

/** The object with some of its places changed. */
export function mutated(object: JsonObject): fc.Arbitrary<JsonObject> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const root = { root: JSON.parse(JSON.stringify(object)) as Json };
    for (const one of changes) apply(root, one);
    return isObject(root.root) ? root.root : { root: root.root };
  });
}

interface Place {
  readonly holder: JsonObject | Json[];
  readonly key: string;
}

function places(holder: JsonObject | Json[], found: Place[] = []): Place[] {
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    const value = at({ holder, key });
    if (isObject(value) || Array.isArray(value)) places(value, found);
  }
  return found;
}

const at = ({ holder, key }: Place): Json | undefined => (holder as JsonObject)[key];
const put = ({ holder, key }: Place, value: Json): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });

function apply(root: JsonObject, { at: index, what, key, value }: Change): void {
  const all = places(root);
  const place = all[index % all.length] as Place;
  const old = at(place) ?? null;
  switch (what) {
    case 'replace':
      return put(place, value);
    case 'wrap':
      return put(place, index % 2 === 0 ? [old] : { [key]: old });
    case 'remove':
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
      else if (place.holder !== root) delete place.holder[place.key];
      return;
    case 'double':
      if (Array.isArray(place.holder)) place.holder.push(old);
      else put({ holder: place.holder, key }, old);
      return;
    case 'add':
      if (isObject(old)) put({ holder: old, key }, value);
      else if (Array.isArray(old)) old.push(value);
  }
}

const json = (value: Json): Buffer => Buffer.from(JSON.stringify(value));
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + (open.startsWith('{') ? '1' : '') + close.repeat(levels);

/** YAML in which each line names the one before it nine times. */
const bomb = Array.from({ length: 12 }, (_, i) =>
  i === 0 ? 'a0: &a0 [x,x,x]' : `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`,
).join('\n');

const MEDIA_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  'application/json; charset=utf-8',
  'application/cbor',
  'APPLICATION/JSON',
  '',
  'application/x-www-form-urlencoded',
  '*/*',
  ';;',
  'constructor',
];
const mediaType = fc.constantFrom(...MEDIA_TYPES);

/** Bytes that are no object of any kind. */
function garbage(example: JsonObject): fc.Arbitrary<Buffer> {
  const text = JSON.stringify(example);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.nat(text.length), anyJson)
        .map(([cut, value]) => Buffer.from(text.slice(0, cut) + JSON.stringify(value) + text.slice(cut))),
    },
    { weight: 4, arbitrary: fc.nat(text.length).map((cut) => Buffer.from(text.slice(0, cut))) },
    { weight: 3, arbitrary: anyJson.map(json) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fc.string({ maxLength: 60 }).map((value) => Buffer.from(value)) },
    {
      weight: 2,
      arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes])),
    },
    { weight: 1, arbitrary: fc.constant(gzipSync(text)) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(
          bomb,
          'a: &a [*a]',
          '&a {? *a : b}',
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {1: 2, true: x, null: y, [a]: b}',
          '--- \na: 1\n---\nb: 2',
          '!!js/function x',
          '!!binary AAAA',
          '%YAML 9.9\n---\n{}',
          '<<: [1]',
          '{"a":1,"a":2}',
          '{"metadata":{"name":"\ud800"}}',
          '{"a":1e999}',
          '{"a":01}',
          '\ufeff{}',
          deep('[', ']', 200),
          deep('{"a":', '}', 200),
        )
        .map((value) => Buffer.from(value)),
    },
    {
      // Far too deep, or far too large; few of them, since they take long.
      weight: 1,
      arbitrary: fc
        .constantFrom(9_000, 9_998, 20_000, 200_000)
        .chain((levels) =>
          fc.constantFrom(deep('[', ']', levels), deep('{"a":', '}', levels), `{"data":${deep('{"a":', '}', levels)}}`),
        )
        .map((value) => Buffer.from(value)),
    },
  );
}

const HUGE = 3 * 1024 * 1024;
const huge = fc
  .constantFrom(1_000_000, HUGE - 100, HUGE + 1)
  .map((size) => json({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'x'.repeat(size) } }));

/** For create and update. */
export function objectBody(example: JsonObject): fc.Arbitrary<TypedBody> {
  const good = fc.constant(example);
  const typed = (type: string, bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<TypedBody> =>
    bytes.map((of) => ({ type, bytes: of }));
  return fc.oneof(
    { weight: 90, arbitrary: typed('application/json', good.map(json)) },
    { weight: 130, arbitrary: typed('application/json', mutated(example).map(json)) },
    { weight: 18, arbitrary: typed('application/yaml', mutated(example).map(json)) },
    { weight: 45, arbitrary: fc.record({ type: mediaType, bytes: garbage(example) }) },
    { weight: 1, arbitrary: typed('application/json', huge) },
  );
}

const pointer = (example: JsonObject): fc.Arbitrary<string> => {
  const known = pointers(example, '');
  return fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...known).map((path) => `${path}/x`),
    fc.constantFrom(
      '',
      '/',
      '/-',
      '/metadata/labels/a',
      '/metadata/finalizers/-',
      '/spec/ports/-',
      '/spec/ports/99',
      '/spec/ports/-1',
      '/spec/ports/01',
      '/~2',
      '/__proto__/x',
      '/constructor/prototype/x',
      'x',
      '/metadata/managedFields/0',
    ),
  );
};

function pointers(value: Json | undefined, prefix: string): string[] {
  if (typeof value !== 'object' || value === null) return [prefix];
  return [
    prefix,
    ...Object.entries(value).flatMap(([key, item]) =>
      pointers(item, `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ),
  ];
}

function jsonPatch(example: JsonObject): fc.Arbitrary<Json> {
  const operation: fc.Arbitrary<Json> = fc
    .record(
      {
        op: fc.constantFrom('add', 'replace', 'remove', 'move', 'copy', 'test', 'test', 'nothing', ''),
        path: pointer(example),
        from: pointer(example),
        value: anyJson,
      },
      { requiredKeys: ['op'] },
    )
    .map((of) => of as JsonObject);
  return fc.array(fc.oneof({ weight: 9, arbitrary: operation }, { weight: 1, arbitrary: anyJson }), { maxLength: 4 });
}

const finish = fc.constantFrom<JsonObject>(
  { metadata: { finalizers: null } },
  { metadata: { finalizers: ['x.example.com/f'] } },
  { metadata: { labels: { a: 'b' } } },
  { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'x' }] } },
);

/** For PATCH, with the media type of its kind. */
export function patchBody(example: JsonObject): fc.Arbitrary<TypedBody> {
  const pieces = fc.oneof(mutated(example), finish, anyJson);
  const sent = fc.oneof({ weight: 15, arbitrary: pieces.map(json) }, { weight: 1, arbitrary: garbage(example) });
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('application/json-patch+json'),
        bytes: fc.oneof(
          { weight: 9, arbitrary: jsonPatch(example).map(json) },
          { weight: 1, arbitrary: garbage(example) },
        ),
      }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('application/merge-patch+json'), bytes: sent }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('application/strategic-merge-patch+json'), bytes: sent }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('application/apply-patch+yaml'),
        bytes: fc.oneof(sent, fc.constant(json(example))),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: mediaType, bytes: sent }) },
  );
}

const options = fc
  .record(
    {
      kind: fc.constantFrom('DeleteOptions', 'Status', 7),
      apiVersion: fc.constantFrom('v1', 'meta.k8s.io/v1', 'x/y/z'),
      gracePeriodSeconds: fc.oneof(oddNumber, oddText),
      propagationPolicy: fc.constantFrom('Orphan', 'Foreground', 'Background', 'X', 1),
      orphanDependents: fc.constantFrom(true, false, 'x'),
      preconditions: fc.oneof(fc.constant({ uid: 'x' }), fc.constant({ resourceVersion: '1' }), anyJson),
      dryRun: fc.constantFrom(['All'], ['X'], 'All', [1]),
    },
    { requiredKeys: [] },
  )
  .map((of) => of as JsonObject);

/** For DELETE. */
export function deleteBody(): fc.Arbitrary<TypedBody | undefined> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 5, arbitrary: options.map((of) => ({ type: 'application/json', bytes: json(of) })) },
    { weight: 1, arbitrary: fc.record({ type: mediaType, bytes: garbage({ kind: 'DeleteOptions' }) }) },
  );
}

/** A schema: plausible, or absurd. */
export function schemaOf(levels: number): fc.Arbitrary<JsonObject> {
  const inner =
    levels === 0 ? fc.constantFrom<JsonObject>({}, { type: 'string' }, { type: 'object' }) : schemaOf(levels - 1);
  const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
  return fc
    .record(
      {
        type: fc.constantFrom<Json>(
          'object',
          'object',
          'string',
          'integer',
          'number',
          'boolean',
          'array',
          'null',
          '',
          3,
        ),
        properties: fc.dictionary(fc.oneof(fc.constantFrom('spec', 'a', 'b', 'metadata', 'kind'), oddKey), inner, {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        items: rarely(inner),
        additionalProperties: rarely(fc.oneof<fc.Arbitrary<Json>[]>(fc.boolean(), inner)),
        required: rarely(fc.constantFrom<Json>(['a'], ['a', 'a'], 'a', [])),
        enum: rarely(fc.constantFrom<Json>(['a', 'b'], [], [1, null], [{}])),
        default: rarely(anyJson),
        pattern: rarely(fc.constantFrom('^a+$', '(a+)+$', '[', '(?i)x', String.raw`\pN`)),
        format: rarely(fc.constantFrom('date-time', 'int32', 'byte', 'ipv4', 'zzz')),
        minimum: rarely(oddNumber),
        maxLength: rarely(oddNumber),
        maxItems: rarely(oddNumber),
        nullable: rarely(fc.boolean()),
        allOf: rarely(fc.array(inner, { maxLength: 2 })),
        anyOf: rarely(fc.array(inner, { maxLength: 2 })),
        not: rarely(inner),
        $ref: rarely(fc.constantFrom('#/definitions/x', '')),
        'x-kubernetes-preserve-unknown-fields': rarely(fc.boolean()),
        'x-kubernetes-int-or-string': rarely(fc.boolean()),
        'x-kubernetes-embedded-resource': rarely(fc.boolean()),
        'x-kubernetes-list-type': rarely(fc.constantFrom('atomic', 'set', 'map', 'x')),
        'x-kubernetes-list-map-keys': rarely(fc.constantFrom<Json>(['a'], [], ['a', 'a'], 'a')),
        'x-kubernetes-map-type': rarely(fc.constantFrom('granular', 'atomic', 'x')),
        'x-kubernetes-validations': fc.array(
          fc.record(
            {
              rule: fc.constantFrom(
                'true',
                'self.a == 1',
                'self.',
                'has(self.a)',
                'self.all(x, x > 0)',
                'oldSelf == self',
                '1/0 == 1',
                'self.matches("[")',
                'self.a.b.c',
                '"',
                'self.map(x, self.map(y, x == y)).size() > 0',
                '('.repeat(300),
                'quantity(self).isGreaterThan(quantity("1"))',
                '',
              ),
              message: oddText,
              messageExpression: fc.constantFrom('"a"', 'self', '"', '1'),
              reason: fc.constantFrom('FieldValueInvalid', 'X'),
              fieldPath: fc.constantFrom('.a', '.spec', 'x', "['a']", '.'),
              optionalOldSelf: fc.boolean(),
            },
            { requiredKeys: ['rule'] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    )
    .map((of) => of as JsonObject);
}
