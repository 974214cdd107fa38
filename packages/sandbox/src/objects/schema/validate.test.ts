import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Json } from '../../values/json.ts';
import { applyDefaults } from './default.ts';
import { validateEmbedded } from './embedded.ts';
import { validateLists } from './list-type.ts';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

/** The answer of kube-apiserver 1.36.3 to `value` in the field `f` of a custom resource's spec. */
interface Observed {
  case: string;
  schema: Schema;
  value: Json;
  errors?: [reason: string, field: string, message: string][];
  /** The value in the answer, if defaulting or pruning changed it: such rows do not test validation. */
  stored?: Json;
}

interface Ratcheted {
  schema: Schema;
  old: Json;
  rows: { case: string; spec: Json; causes: [string, string, string][] }[];
}

const load = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const observed = load('golden/validate.json') as Observed[];
const ratcheted = load('golden/ratchet.json') as Ratcheted;

const inSpec = (field: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { f: field } } },
});
const asIs = (list: string[][]): string[][] => list;
const bySorting = (list: string[][]): string[][] => list.toSorted((a, b) => a.join().localeCompare(b.join()));
const rows = (list: readonly { type: string; field: string; detail: string }[]): string[][] =>
  list.map((e) => [e.type, e.field, e.detail]);

describe('values are refused in the words of kube-apiserver', () => {
  for (const row of observed) {
    if (row.errors === undefined || row.stored !== undefined) continue;
    test(`${row.case}: ${JSON.stringify(row.value)}`, () => {
      const schema = inSpec(row.schema);
      const object = { spec: { f: structuredClone(row.value) } };
      applyDefaults(object, schema);
      const errors = [
        ...validate(schema, object),
        ...validateEmbedded(schema, object),
        ...validateLists(schema, object),
      ];
      // The errors of an embedded object are in the random order of a Go map.
      const ordered = row.case === 'embedded' ? bySorting : asIs;
      assert.deepEqual(ordered(rows(errors)), ordered(row.errors ?? []));
    });
  }
});

describe('an update is not blamed for what was wrong before', () => {
  for (const row of ratcheted.rows) {
    test(row.case, () => {
      const [object, old] = [{ spec: row.spec }, { spec: ratcheted.old }];
      // Stored objects are read with the new schema, so unknown fields are gone.
      for (const each of [object, old]) prune(each, ratcheted.schema);
      const errors = [
        ...validate(ratcheted.schema, object, { old }),
        ...(validateLists(ratcheted.schema, old).length === 0 ? validateLists(ratcheted.schema, object) : []),
      ];
      assert.deepEqual(bySorting(rows(errors)), bySorting(row.causes));
    });
  }
});

test('errors of a status name the path from the status in their text', () => {
  const schema: Schema = { type: 'object', properties: { phase: { type: 'string' } }, required: ['ready'] };
  assert.deepEqual(rows(validate(schema, { phase: 5 }, { fieldPath: 'status' })), [
    [
      'FieldValueTypeInvalid',
      'status.phase',
      'Invalid value: "integer": phase in body must be of type string: "integer"',
    ],
    ['FieldValueRequired', 'status.ready', 'Required value'],
  ]);
});

test('names of the prototype of objects are ordinary keys', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['constructor'] };
  assert.deepEqual(rows(validate(schema, { toString: 1, valueOf: 'x' })), [
    ['FieldValueRequired', 'constructor', 'Required value'],
  ]);
});

test('an enum compares after conversion to its own type', () => {
  const cases: [allowed: Json[], value: Json, good: boolean][] = [
    [[1, 2], 2.5, true],
    [[1, 2], 3.5, false],
    [[1.5], 1.5, true],
    [['A'], 65, true],
    [['A'], 66, false],
    [[{ a: 1 }], { a: 1 }, true],
    [[null, 'a'], null, false],
  ];
  for (const [allowed, value, good] of cases) {
    assert.equal(validate({ enum: allowed }, value).length === 0, good, JSON.stringify([allowed, value]));
  }
});
