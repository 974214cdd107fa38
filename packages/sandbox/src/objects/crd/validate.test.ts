import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { FieldError } from '../../server/api/status.ts';
import type { Json } from '../../values/json.ts';
import { defaultDefinition, prepareForCreate, prepareForUpdate } from './lifecycle.ts';
import type { CustomResourceDefinition } from './types.ts';
import { definitionWarnings, validateDefinition, validateDefinitionUpdate } from './validate.ts';

type Cause = [reason: string, field: string, message: string];

/** The recorded answers of kube-apiserver 1.36.3 to definitions, and the stored form of those that it accepted. */
interface Created {
  case: string;
  crd: CustomResourceDefinition;
  causes?: Cause[];
  names?: Json;
  conversion?: Json;
  status?: Json;
  warning?: string;
}
interface Updated {
  case: string;
  old: CustomResourceDefinition;
  crd: CustomResourceDefinition;
  causes?: Cause[];
  status?: Json;
  generation?: number;
}

const load = (name: string): unknown => JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8'));
const created = load('create.json') as Created[];
const updated = load('update.json') as Updated[];

const rows = (errors: readonly FieldError[]): string[][] => errors.map((e) => [e.type, e.field, e.detail]);
/** Where the server does not sort, fields of a schema are in the random order of a Go map. */
const sorted = (list: readonly (readonly string[])[]): string[] => list.map((row) => row.join(' | ')).toSorted();

describe('definitions are refused in the words of kube-apiserver', () => {
  for (const row of created) {
    test(row.case, () => {
      const crd = structuredClone(row.crd);
      defaultDefinition(crd);
      prepareForCreate(crd);
      const errors = rows(validateDefinition(crd));
      assert.deepEqual(sorted(errors), sorted(row.causes ?? []));
      if (row.causes !== undefined) return;
      assert.deepEqual(crd.spec.names, row.names);
      assert.deepEqual(crd.spec.conversion, row.conversion);
      assert.deepEqual(crd.status, row.status);
    });
  }
});

test('errors come in the order of the server where that has one', () => {
  const ordered = [
    'bad names',
    'two storage',
    'conversion webhook bad',
    'columns',
    'selectable',
    'several errors',
    'nested everything',
  ];
  for (const name of ordered) {
    const row = created.find((each) => each.case === name);
    assert.ok(row !== undefined, name);
    const crd = structuredClone(row.crd);
    defaultDefinition(crd);
    prepareForCreate(crd);
    assert.deepEqual(rows(validateDefinition(crd)), row.causes, name);
  }
});

test('formats that are not known are worth a warning, once', () => {
  for (const row of created.filter(({ warning }) => warning !== undefined)) {
    const wanted = [...(row.warning ?? '').matchAll(/unrecognized format \\"(.*?)\\"/g)].map((match) => match[1] ?? '');
    const warnings = definitionWarnings(row.crd, undefined);
    assert.deepEqual(warnings.toSorted(), wanted.map((format) => `unrecognized format "${format}"`).toSorted());
    assert.deepEqual(definitionWarnings(row.crd, row.crd), []);
  }
});

describe('updates of definitions', () => {
  for (const row of updated) {
    test(row.case, () => {
      const crd = structuredClone(row.crd);
      defaultDefinition(crd);
      prepareForUpdate(crd, row.old);
      assert.deepEqual(rows(validateDefinitionUpdate(crd, row.old)), row.causes ?? []);
      if (row.causes !== undefined) return;
      assert.deepEqual(crd.status, row.status);
      assert.equal(crd.metadata.generation, row.generation);
    });
  }
});
