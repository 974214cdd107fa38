import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutManagedFieldsText } from './managed-fields-cut.ts';

const cut = (text: string): string => withoutManagedFieldsText(Buffer.from(text));
const managed = [{ manager: 'a "quoted" \\ ] } one', fieldsV1: { 'f:spec': { 'k:{"name":"x]"}': { '.': {} } } } }, {}];

test('managedFields are cut wherever they stand in the metadata', () => {
  for (const [metadata, rest] of [
    [
      { labels: { a: 'b' }, managedFields: managed, name: 'ü😀' },
      { labels: { a: 'b' }, name: 'ü😀' },
    ],
    [{ managedFields: managed, name: 'x' }, { name: 'x' }],
    [{ name: 'x', managedFields: managed }, { name: 'x' }],
    [{ managedFields: managed }, {}],
    [{ managedFields: [], name: 'x' }, { name: 'x' }],
  ]) {
    const event = { type: 'ADDED', object: { kind: 'VirtualMachine', metadata, spec: { a: [1] } } };
    const expected = { type: 'ADDED', object: { kind: 'VirtualMachine', metadata: rest, spec: { a: [1] } } };
    assert.equal(cut(JSON.stringify(event)), JSON.stringify(expected));
  }
});

test('what only looks like the managedFields of the object stays', () => {
  for (const object of [
    { metadata: { annotations: { last: JSON.stringify({ metadata: { managedFields: managed } }) } } },
    { metadata: { annotations: { 'x"managedFields': 'y', 'z,"managedFields":[': '1' } } },
    { metadata: { deeper: { managedFields: managed } } },
    { spec: { managedFields: managed }, metadata: { name: 'x' } },
    { spec: { template: { metadata: { managedFields: managed } } } },
    { metadata: [{ managedFields: managed }] },
    { metadata: { managedFields: null } },
    { metadata: { 'x"managedFields': [1] } },
  ]) {
    const text = JSON.stringify({ type: 'ADDED', object });
    assert.equal(cut(text), text);
  }
  for (const text of [
    '{"object": {"metadata":{"managedFields":[]}}}',
    '{"metadata":{"managedFields":[]}}',
    '{"object":{"metadata":{"managedFields":[{"a":"]',
    '{"object":{"metadata":{"managedFields":["\\',
    '"managedFields":[',
    '',
  ])
    assert.equal(cut(text), text);
});

test('an object whose spec contains a copy of the object loses only its own managedFields', () => {
  const copy = { metadata: { managedFields: managed, name: 'copy' } };
  const event = { type: 'ADDED', object: { metadata: { managedFields: managed, name: 'x' }, spec: { copy } } };
  assert.deepEqual(JSON.parse(cut(JSON.stringify(event))), {
    type: 'ADDED',
    object: { metadata: { name: 'x' }, spec: { copy } },
  });
});
