import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { readStrategicPatch, strategicMergePatch } from './strategic.ts';

const text: Schema = { type: 'string' };
const mergedBy = (key: string, items: Schema, strategy = 'merge'): Schema => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': strategy,
  'x-kubernetes-patch-merge-key': key,
});

const container: Schema = {
  'x-go-struct': 'Container',
  properties: {
    name: text,
    image: text,
    command: { type: 'array', items: text },
    env: mergedBy('name', { properties: { name: text, value: text } }),
    ports: mergedBy('containerPort', { properties: { containerPort: { type: 'integer' }, protocol: text } }),
    resources: { properties: { limits: { type: 'object', additionalProperties: text } } },
  },
};

/** The parts of a Deployment's schema that strategic patches use, as on the server. */
const schema: Schema = {
  'x-go-struct': 'Deployment',
  properties: {
    metadata: {
      'x-go-struct': 'ObjectMeta',
      properties: {
        name: text,
        labels: { type: 'object', additionalProperties: text },
        finalizers: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
        ownerReferences: mergedBy('uid', { properties: { uid: text, name: text } }),
      },
    },
    spec: {
      'x-go-struct': 'DeploymentSpec',
      properties: {
        replicas: { type: 'integer' },
        containers: mergedBy('name', container),
        volumes: mergedBy('name', { properties: { name: text, emptyDir: {}, secret: {} } }, 'merge,retainKeys'),
        tolerations: { type: 'array', items: { properties: { key: text } } },
        strategy: { 'x-kubernetes-patch-strategy': 'retainKeys', properties: { type: text, rollingUpdate: {} } },
        whole: { 'x-kubernetes-patch-strategy': 'replace', properties: { a: text, b: text } },
        nameless: { type: 'array', items: { properties: { a: text } }, 'x-kubernetes-patch-strategy': 'merge' },
      },
    },
  },
};

const named = (...names: string[]): JsonObject[] => names.map((name) => ({ name }));

const cases: { reason: string; spec?: JsonObject; metadata?: JsonObject; patch: JsonObject; want: JsonObject }[] = [
  {
    reason: 'merges maps and deletes with null',
    metadata: { labels: { a: '1', b: '2' } },
    patch: { metadata: { labels: { a: null, c: '3' } } },
    want: { metadata: { labels: { b: '2', c: '3' } } },
  },
  {
    reason: 'drops nulls from what is new',
    patch: { metadata: { labels: { a: null, c: '3' } } },
    want: { metadata: { labels: { c: '3' } } },
  },
  {
    reason: 'replaces lists that have no strategy',
    spec: { tolerations: [{ key: 'a' }, { key: 'b' }] },
    patch: { spec: { tolerations: [{ key: 'c' }] } },
    want: { spec: { tolerations: [{ key: 'c' }] } },
  },
  {
    reason: 'merges an item by its key',
    spec: {
      containers: [
        { name: 'a', image: 'i1', command: ['x'] },
        { name: 'b', image: 'i1' },
      ],
    },
    patch: { spec: { containers: [{ name: 'a', image: 'i2' }] } },
    want: {
      spec: {
        containers: [
          { name: 'a', image: 'i2', command: ['x'] },
          { name: 'b', image: 'i1' },
        ],
      },
    },
  },
  {
    reason: 'puts a new item before those that only the server has',
    spec: { containers: named('a', 'b') },
    patch: { spec: { containers: named('c') } },
    want: { spec: { containers: named('c', 'a', 'b') } },
  },
  {
    reason: 'orders items as the patch does',
    spec: { containers: named('a', 'b', 'c') },
    patch: { spec: { containers: named('c', 'a') } },
    want: { spec: { containers: named('b', 'c', 'a') } },
  },
  {
    reason: 'merges lists inside list items',
    spec: {
      containers: [
        {
          name: 'a',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
          ports: [{ containerPort: 80 }],
        },
      ],
    },
    patch: {
      spec: {
        containers: [
          {
            name: 'a',
            env: [{ name: 'Y', value: '3' }],
            ports: [{ containerPort: 80, $patch: 'delete' }, { containerPort: 81 }],
          },
        ],
      },
    },
    want: {
      spec: {
        containers: [
          {
            name: 'a',
            env: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '3' },
            ],
            ports: [{ containerPort: 81 }],
          },
        ],
      },
    },
  },
  {
    reason: 'deletes an item',
    spec: { containers: named('a', 'b') },
    patch: { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
    want: { spec: { containers: named('b') } },
  },
  {
    reason: 'replaces a list by directive',
    spec: { containers: named('a', 'b') },
    patch: { spec: { containers: [{ name: 'c' }, { $patch: 'replace' }] } },
    want: { spec: { containers: named('c') } },
  },
  {
    reason: 'replaces a map by directive',
    metadata: { labels: { a: '1' } },
    patch: { metadata: { labels: { b: '2', $patch: 'replace' } } },
    want: { metadata: { labels: { b: '2' } } },
  },
  {
    reason: 'empties a map by directive',
    metadata: { labels: { a: '1' } },
    patch: { metadata: { labels: { $patch: 'delete' } } },
    want: { metadata: { labels: {} } },
  },
  {
    reason: 'leaves out a directive for what is not there',
    patch: {
      metadata: { labels: { $patch: 'delete' } },
      spec: { containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] },
    },
    want: { metadata: {}, spec: { containers: named('b') } },
  },
  {
    reason: 'replaces an object whose strategy says so',
    spec: { whole: { a: '1', b: '2' } },
    patch: { spec: { whole: { a: '3' } } },
    want: { spec: { whole: { a: '3' } } },
  },
  {
    reason: 'merges scalars as a set',
    metadata: { finalizers: ['a', 'b'] },
    patch: { metadata: { finalizers: ['c', 'a'] } },
    want: { metadata: { finalizers: ['c', 'a', 'b'] } },
  },
  {
    reason: 'deletes from a list of scalars',
    metadata: { finalizers: ['a', 'b'] },
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] } },
    want: { metadata: { finalizers: ['b'] } },
  },
  {
    reason: 'orders scalars',
    metadata: { finalizers: ['a', 'b'] },
    patch: { metadata: { finalizers: ['c'], '$setElementOrder/finalizers': ['c', 'b', 'a'] } },
    want: { metadata: { finalizers: ['c', 'b', 'a'] } },
  },
  {
    reason: 'orders items by $setElementOrder and keeps those of the server near their place',
    spec: { containers: named('a', 'server', 'b') },
    patch: { spec: { containers: named('c'), '$setElementOrder/containers': named('b', 'c', 'a') } },
    want: { spec: { containers: named('server', 'b', 'c', 'a') } },
  },
  {
    reason: 'lets a deletion move the server-only items up, as the server does',
    spec: { containers: named('a', 'b', 'server') },
    patch: {
      spec: {
        containers: [{ name: 'd' }, { name: 'b', $patch: 'delete' }],
        '$setElementOrder/containers': named('a', 'd'),
      },
    },
    want: { spec: { containers: named('a', 'server', 'd') } },
  },
  {
    reason: 'orders without any other change',
    spec: { containers: named('a', 'b') },
    patch: { spec: { '$setElementOrder/containers': named('b', 'a') } },
    want: { spec: { containers: named('b', 'a') } },
  },
  {
    reason: 'keeps only retained keys',
    spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    patch: { spec: { strategy: { type: 'Recreate', $retainKeys: ['type'] } } },
    want: { spec: { strategy: { type: 'Recreate' } } },
  },
  {
    reason: 'keeps only retained keys of a list item',
    spec: { volumes: [{ name: 'v', emptyDir: {} }] },
    patch: { spec: { volumes: [{ name: 'v', secret: { secretName: 's' }, $retainKeys: ['name', 'secret'] }] } },
    want: { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } },
  },
  {
    reason: 'merges owners by uid',
    metadata: { ownerReferences: [{ uid: '1', name: 'a' }] },
    patch: { metadata: { ownerReferences: [{ uid: '2', name: 'b' }] } },
    want: {
      metadata: {
        ownerReferences: [
          { uid: '2', name: 'b' },
          { uid: '1', name: 'a' },
        ],
      },
    },
  },
];

for (const { reason, spec, metadata, patch, want } of cases) {
  test(`a strategic merge patch ${reason}`, () => {
    const object: JsonObject = { ...(metadata && { metadata }), ...(spec && { spec }) };
    const before = cloneJson([object, patch]);
    assert.deepEqual(strategicMergePatch(object, readStrategicPatch(patch), schema).object, want);
    assert.deepEqual([object, patch], before);
  });
}

const live: JsonObject = {
  metadata: { finalizers: ['a'], labels: { a: '1' } },
  spec: { containers: named('a'), nameless: [{ a: '1' }], strategy: {} },
};

const failures: { patch: JsonObject; code: number; message: string }[] = [
  {
    patch: { metadata: { '$setElementOrder/finalizers': 'x' } },
    code: 500,
    message: 'expected a []interface {}, but received a string',
  },
  {
    patch: { metadata: { $setElementOrder: ['x'] } },
    code: 400,
    message: 'invalid patch format of setElementOrder list',
  },
  {
    patch: { metadata: { $deleteFromPrimitiveList: ['x'] } },
    code: 400,
    message: 'invalid patch format of primitive list',
  },
  { patch: { metadata: { $retainKeys: 1 } }, code: 400, message: 'invalid patch format of retainKeys' },
  {
    patch: { metadata: { $retainKeys: ['name'], labels: {} } },
    code: 400,
    message: 'invalid patch format of retainKeys',
  },
  { patch: { metadata: { $patch: 'bla' } }, code: 500, message: 'unknown patch type: bla in map: map[$patch:bla]' },
  {
    patch: { metadata: { '$setElementOrder/foo': ['x'] } },
    code: 500,
    message: 'unable to find api field in struct ObjectMeta for the json field "foo"',
  },
  { patch: { metadata: { finalizers: [1] } }, code: 500, message: 'list element types are not identical: [[a] [1]]' },
  {
    patch: { spec: { containers: [{ image: 'x' }] } },
    code: 500,
    message: 'map: map[image:x] does not contain declared merge key: name',
  },
  {
    patch: { spec: { containers: [{ name: 'a', $patch: 'merge' }] } },
    code: 500,
    message: 'merging lists cannot yet be specified in the patch',
  },
  {
    patch: { spec: { nameless: [{ a: '2' }] } },
    code: 500,
    message: 'cannot merge lists without merge key for struct',
  },
  {
    patch: { spec: { containers: named('b', 'a'), '$setElementOrder/containers': named('a', 'b') } },
    code: 500,
    message:
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
  },
];

for (const { patch, code, message } of failures) {
  test(`the strategic merge patch ${JSON.stringify(patch)} is refused`, () => {
    assert.throws(() => strategicMergePatch(live, patch, schema), { code, message });
  });
}

test('lists of lists are not merged', () => {
  assert.throws(
    () => strategicMergePatch({ metadata: { finalizers: [['a']] } }, { metadata: { finalizers: [['b']] } }, schema),
    {
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    },
  );
});

const bodies: { body: Json; message: string }[] = [
  { body: [], message: 'json: cannot unmarshal array into Go value of type map[string]interface {}' },
  { body: 'x', message: 'json: cannot unmarshal string into Go value of type map[string]interface {}' },
];

for (const { body, message } of bodies) {
  test(`${JSON.stringify(body)} is no strategic merge patch`, () => {
    assert.throws(() => readStrategicPatch(body), { code: 400, reason: 'BadRequest', message });
  });
}

test('a strategic merge patch of null changes nothing', () => {
  assert.deepEqual(strategicMergePatch(live, readStrategicPatch(null), schema).object, live);
});

test('the patch is quoted as Go prints it when its directives are used up', () => {
  const patch = {
    foo: 1,
    spec: { replicas: 2.5, strategy: { type: 'Recreate', $retainKeys: ['type'] } },
    metadata: { labels: { $patch: 'delete' } },
  };
  assert.equal(
    strategicMergePatch(live, patch, schema).patch(),
    'map[foo:1 metadata:map[labels:map[$patch:delete]] spec:map[replicas:2.5 strategy:map[type:Recreate]]]',
  );
});
