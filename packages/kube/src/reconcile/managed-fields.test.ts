import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, Unstructured } from '../object.ts';
import { childOf, ownsAll } from './managed-fields.ts';

/** The fieldsV1 that a server writes after an apply of `applied` by "us". */
const fields = {
  'f:metadata': {
    'f:labels': { 'f:app': {} },
    'f:ownerReferences': { 'k:{"uid":"u1"}': {} },
    'f:finalizers': { 'v:"ours"': {} },
  },
  'f:spec': {
    'f:volumes': {},
    'f:ports': {
      'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:name': {} },
      'k:{"port":81,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
    },
    'f:size': {},
  },
};
const applied: Unstructured = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name: 't',
    labels: { app: 'x' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u1' }],
    finalizers: ['ours'],
  },
  spec: {
    volumes: [{ name: 'root', disk: { size: 1 } }],
    ports: [{ port: 80, name: 'http' }, { port: 81 }],
    size: 3,
    absent: undefined,
    none: null,
  },
};

function live(fieldsV1: unknown, more: object = {}): KubeObject {
  const entry = { manager: 'us', operation: 'Apply', fieldsV1, ...more };
  const other = { manager: 'kubelet', operation: 'Update', fieldsV1: { 'f:status': {} }, subresource: 'status' };
  return { metadata: { name: 't', managedFields: [other, entry] } };
}

/** The fields without one of them. Parents that become empty are removed too, as a server does. */
function without(...path: readonly string[]): unknown {
  return pruned(fields, path);
}

function pruned(node: Readonly<Record<string, unknown>>, [field = '', ...rest]: readonly string[]): unknown {
  const { [field]: child, ...others } = node;
  const left = rest.length === 0 ? undefined : pruned(child as Record<string, unknown>, rest);
  if (left !== undefined) return { ...others, [field]: left };
  return Object.keys(others).length === 0 ? undefined : others;
}

test('all that was applied is ours while our entry covers it', () =>
  assert.equal(ownsAll(live(fields), applied, 'us'), true));

const lost: readonly [string, unknown, object?][] = [
  ['a value was changed by another', without('f:spec', 'f:size')],
  ['a list without a type was changed by another', without('f:spec', 'f:volumes')],
  [
    'a field of an entry was changed by another',
    without('f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'),
  ],
  ['an entry was taken away', without('f:spec', 'f:ports', 'k:{"port":81,"protocol":"TCP"}')],
  ['a label was changed by another', without('f:metadata', 'f:labels', 'f:app')],
  ['a finalizer was taken away', without('f:metadata', 'f:finalizers', 'v:"ours"')],
  ["all of the spec is another's", without('f:spec')],
  ['our entry is not of an apply', fields, { operation: 'Update' }],
  ['our entry is of a subresource', fields, { subresource: 'status' }],
  ['our entry is of another manager', fields, { manager: 'them' }],
];
for (const [reason, fieldsV1, more] of lost) {
  test(`not all is ours any more: ${reason}`, () => assert.equal(ownsAll(live(fieldsV1, more), applied, 'us'), false));
}

test('an object without managedFields cannot say whose it is', () => {
  assert.equal(ownsAll({ metadata: { name: 't' } }, applied, 'us'), false);
});

test('the cache of children keeps our own entry only, and that is enough', () => {
  const { project } = childOf('us');
  const kept = project(live(fields));
  assert.equal(kept.metadata.managedFields?.length, 1);
  assert.equal(ownsAll(kept, applied, 'us'), true);
  assert.deepEqual(project(kept), kept, 'twice is once');
});
