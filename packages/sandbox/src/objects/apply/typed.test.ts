import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { atomOf } from './atom.ts';
import { compare } from './compare.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { merge } from './merge.ts';
import { toFieldSet } from './own.ts';
import { reconcile, withNamedFields } from './reconcile.ts';
import { removeItems } from './remove.ts';
import { widgetSchema } from './testdata/widget-crd.ts';
import { validate } from './validate.ts';

const atom = atomOf(widgetSchema);
const spec = (value: Json): JsonObject => ({ spec: value });

describe('the fields that a configuration owns', () => {
  const cases: { name: string; value: Json; out: JsonObject }[] = [
    { name: 'scalars', value: { replicas: 1, name: null }, out: { 'f:name': {}, 'f:replicas': {} } },
    { name: 'an empty associative list has no owner', value: { ports: [], tags: [] }, out: {} },
    {
      name: 'an atomic list as a whole',
      value: { args: ['a'], steps: [{ name: 'x' }] },
      out: { 'f:args': {}, 'f:steps': {} },
    },
    {
      name: 'a set by its values',
      value: { tags: ['b', 'a'], sizes: [10, 9] },
      out: { 'f:sizes': { 'v:9': {}, 'v:10': {} }, 'f:tags': { 'v:"a"': {}, 'v:"b"': {} } },
    },
    {
      name: 'a keyed list with the default of a key',
      value: { ports: [{ port: 80, name: 'x' }] },
      out: { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } } },
    },
    {
      name: 'entries of a map for themselves',
      value: { resources: { cpu: { limit: 1 } } },
      out: { 'f:resources': { 'f:cpu': { '.': {}, 'f:limit': {} } } },
    },
    {
      name: 'an empty map',
      value: { labels: {}, nested: { deep: {} } },
      out: { 'f:labels': {}, 'f:nested': { 'f:deep': {} } },
    },
    {
      name: 'free-form content',
      value: { anything: { l: [1], m: { a: 1 } } },
      out: { 'f:anything': { 'f:l': {}, 'f:m': { '.': {}, 'f:a': {} } } },
    },
    {
      name: 'items that stand twice',
      value: {
        ports: [
          { port: 1, name: 'a' },
          { port: 1, name: 'b' },
        ],
      },
      out: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } },
    },
  ];
  for (const { name, value, out } of cases) {
    test(name, () => {
      const expected = Object.keys(out).length === 0 ? {} : { 'f:spec': out };
      assert.equal(JSON.stringify(encodeFieldsV1(toFieldSet({ value: spec(value), atom }))), JSON.stringify(expected));
    });
  }
});

describe('the differences between two objects', () => {
  const cases: {
    name: string;
    before: JsonObject;
    after: JsonObject;
    added?: JsonObject;
    modified?: JsonObject;
    removed?: JsonObject;
  }[] = [
    { name: 'none', before: { replicas: 1, tags: ['a', 'b'] }, after: { tags: ['b', 'a'], replicas: 1 } },
    {
      name: 'a scalar',
      before: { replicas: 1, paused: true },
      after: { replicas: 2, name: 'x' },
      added: { 'f:name': {} },
      modified: { 'f:replicas': {} },
      removed: { 'f:paused': {} },
    },
    {
      name: 'an added map counts with its inner nodes',
      before: {},
      after: { nested: { deep: { x: 1 } } },
      added: { 'f:nested': { '.': {}, 'f:deep': { '.': {}, 'f:x': {} } } },
    },
    {
      name: 'a map that became null loses its fields',
      before: { labels: { a: '1' } },
      after: { labels: null },
      removed: { 'f:labels': { 'f:a': {} } },
    },
    {
      name: 'an atomic map',
      before: { selector: { matchLabels: { a: 'b' } } },
      after: { selector: { matchLabels: { a: 'c' } } },
      modified: { 'f:selector': {} },
    },
    {
      name: 'a scalar that became a map',
      before: { anything: { a: 1 } },
      after: { anything: { a: { b: 1 } } },
      modified: { 'f:anything': { 'f:a': {} } },
      added: { 'f:anything': { 'f:a': { 'f:b': {} } } },
    },
    {
      name: 'items that came to stand twice',
      before: { ports: [{ port: 1 }] },
      after: { ports: [{ port: 1 }, { port: 1 }] },
      added: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } },
      removed: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
    },
    {
      name: 'items that no longer stand twice',
      before: { tags: ['a', 'a'] },
      after: { tags: ['a'] },
      added: { 'f:tags': { 'v:"a"': {} } },
      removed: { 'f:tags': { 'v:"a"': {} } },
    },
  ];
  for (const { name, before, after, ...out } of cases) {
    test(name, () => {
      const result = compare(spec(before), spec(after), atom);
      for (const kind of ['added', 'modified', 'removed'] as const) {
        assert.deepEqual(encodeFieldsV1(result[kind]), out[kind] === undefined ? {} : { 'f:spec': out[kind] }, kind);
      }
    });
  }
});

describe('merging', () => {
  const cases: { name: string; live: JsonObject; applied: JsonObject; out: JsonObject }[] = [
    {
      name: 'keeps what only one has',
      live: { labels: { a: '1' } },
      applied: { labels: { b: '2' } },
      out: { labels: { a: '1', b: '2' } },
    },
    {
      name: 'replaces what is atomic',
      live: { args: ['a'], selector: { matchLabels: { a: 'b' } } },
      applied: { args: ['b'], selector: { matchLabels: { c: 'd' } } },
      out: { args: ['b'], selector: { matchLabels: { c: 'd' } } },
    },
    {
      name: 'keeps the live order of a set',
      live: { tags: ['c', 'a'] },
      applied: { tags: ['b'] },
      out: { tags: ['c', 'a', 'b'] },
    },
    {
      name: 'takes the applied order of what both have',
      live: { tags: ['a', 'b', 'c', 'd'] },
      applied: { tags: ['d', 'x', 'b'] },
      out: { tags: ['a', 'c', 'd', 'x', 'b'] },
    },
    {
      name: 'merges items of a keyed list',
      live: { ports: [{ port: 80, protocol: 'TCP', name: 'a' }] },
      applied: { ports: [{ port: 80, tags: ['x'] }] },
      out: { ports: [{ port: 80, protocol: 'TCP', name: 'a', tags: ['x'] }] },
    },
    {
      name: 'keeps a list over which nothing is applied',
      live: { tags: ['a'] },
      applied: { tags: [] },
      out: { tags: ['a'] },
    },
    { name: 'takes a null', live: { name: 'a' }, applied: { name: null }, out: { name: null } },
  ];
  for (const { name, live, applied, out } of cases) {
    test(name, () => assert.deepEqual(merge(spec(live), spec(applied), atom), spec(out)));
  }
});

describe('removing', () => {
  const cases: { name: string; value: JsonObject; items: JsonObject; out: Json }[] = [
    { name: 'a field', value: { replicas: 1, name: 'a' }, items: { 'f:name': {} }, out: { replicas: 1 } },
    {
      name: 'the last entry of a map leaves null',
      value: { labels: { a: '1' }, name: 'a' },
      items: { 'f:labels': { 'f:a': {} } },
      out: { labels: null, name: 'a' },
    },
    {
      name: 'an item',
      value: { ports: [{ port: 1 }, { port: 2 }] },
      items: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} } },
      out: { ports: [{ port: 2 }] },
    },
    {
      name: 'a field of an item',
      value: { ports: [{ port: 1, name: 'a' }] },
      items: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { 'f:name': {} } } },
      out: { ports: [{ port: 1 }] },
    },
  ];
  for (const { name, value, items, out } of cases) {
    test(name, () => assert.deepEqual(removeItems(spec(value), decodeFieldsV1({ 'f:spec': items }), atom), spec(out)));
  }
});

test('ownership in parts of what became atomic is ownership of the whole', () => {
  const set = decodeFieldsV1({
    'f:spec': { 'f:args': { 'v:"a"': {} }, 'f:selector': { 'f:matchLabels': {} }, 'f:anything': { 'f:a': {} } },
  });
  const out = reconcile(set, atom);
  assert.deepEqual(encodeFieldsV1(out), { 'f:spec': { 'f:anything': { 'f:a': {} }, 'f:args': {}, 'f:selector': {} } });
  assert.equal(reconcile(out, atom), out);
});

test('named fields on the way are added, entries of maps are not', () => {
  const set = decodeFieldsV1({
    'f:spec': {
      'f:resources': { 'f:cpu': { 'f:limit': {} } },
      'f:ports': { 'k:{"port":1}': { 'f:tags': { 'v:"x"': {} } } },
    },
  });
  assert.deepEqual(encodeFieldsV1(withNamedFields(set, atom)), {
    'f:spec': {
      '.': {},
      'f:ports': { '.': {}, 'k:{"port":1}': { 'f:tags': { '.': {}, 'v:"x"': {} } } },
      'f:resources': { '.': {}, 'f:cpu': { 'f:limit': {} } },
    },
  });
});

describe('a value that does not fit', () => {
  const cases: { value: JsonObject; message: string; allowDuplicates?: boolean }[] = [
    { value: { x: 1 }, message: '.spec.x: field not declared in schema' },
    {
      value: { replicas: '1', paused: 1 },
      message:
        'errors:\n  .spec.replicas: expected numeric (int or float), got string\n  .spec.paused: expected boolean, got &{1}',
    },
    {
      value: { ports: [{ port: 1, tags: ['a', 'a'] }] },
      message: '.spec.ports[port=1,protocol="TCP"].tags: duplicate entries for key [="a"]',
    },
    {
      value: { steps: [{ name: 'a' }, { name: 1 }] },
      message: '.spec.steps[1].name: expected string, got &value.valueUnstructured{Value:1}',
    },
  ];
  for (const { value, message } of cases) {
    test(message, () => {
      assert.throws(() => validate(spec(value), atom, { allowDuplicates: false }), { name: 'TypedError', message });
    });
  }

  test('stored objects may repeat items', () => {
    validate(spec({ tags: ['a', 'a'] }), atom, { allowDuplicates: true });
  });

  test('an item may not leave out all keys', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a', 'b'],
          items: {
            type: 'object',
            properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
          },
        },
      },
    };
    assert.throws(() => validate({ l: [{ c: 'x' }] }, atomOf(schema), { allowDuplicates: true }), {
      message: `.l: element 0: associative list with keys has an element that omits all key fields ["a" "b"] (and doesn't have default values for any key fields)`,
    });
  });
});

test('the tags of strategic merge patch stand in for a missing list type', () => {
  const list = (rest: Schema): Schema => ({
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } } },
    ...rest,
  });
  const schema: Schema = {
    type: 'object',
    properties: {
      merged: list({ 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'n' }),
      retained: list({ 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'n' }),
      plain: list({ 'x-kubernetes-patch-merge-key': 'n' }),
    },
  };
  const value = { merged: [{ n: 'a' }], retained: [{ n: 'a' }], plain: [{ n: 'a' }] };
  const item = { 'k:{"n":"a"}': { '.': {}, 'f:n': {} } };
  assert.deepEqual(encodeFieldsV1(toFieldSet({ value, atom: atomOf(schema) })), {
    'f:merged': item,
    'f:plain': {},
    'f:retained': item,
  });
});
