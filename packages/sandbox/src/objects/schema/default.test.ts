import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import { applyDefaults, dropNulls } from './default.ts';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';

/** The objects that kube-apiserver 1.36.3 stored on create, and the unknown fields in its warnings. */
interface Observed {
  schema: Schema;
  rows: { object: JsonObject; stored?: JsonObject; warning: string | null }[];
}

const observed = JSON.parse(readFileSync(new URL('golden/fill.json', import.meta.url), 'utf8')) as Observed;
const unknownFields = (warning: string | null): string[] =>
  [...(warning ?? '').matchAll(/unknown field \\"(.*?)\\"/g)].map((match) => match[1] ?? '');

describe('objects are pruned and defaulted as kube-apiserver does', () => {
  for (const { object, stored, warning } of observed.rows) {
    test(JSON.stringify(object), () => {
      const value = structuredClone(object);
      const dropped = prune(value, observed.schema, { resourceRoot: true });
      dropNulls(value, observed.schema);
      applyDefaults(value, observed.schema);
      // Metadata of embedded objects is decoded, not pruned; another file does that.
      const expected = unknownFields(warning).filter((path) => !path.includes('metadata'));
      assert.deepEqual(dropped, expected);
      if (stored !== undefined && !JSON.stringify(stored).includes('metadata')) assert.deepEqual(value, stored);
    });
  }
});

test('a default is a copy: changing an object leaves the schema alone', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'object', default: { b: [1] } } } };
  const value: JsonObject = {};
  applyDefaults(value, schema);
  (value['a'] as JsonObject)['b'] = 'changed';
  assert.deepEqual(schema.properties?.['a']?.default, { b: [1] });
});

test('a schema that contains itself is walked once', () => {
  const schema: Schema = { type: 'object', properties: { name: { type: 'string', default: 'x' } } };
  schema.properties = { ...schema.properties, child: schema };
  const value: JsonObject = { child: { child: {} } };
  applyDefaults(value, schema);
  assert.deepEqual(value, { name: 'x', child: { name: 'x', child: { name: 'x' } } });
});
