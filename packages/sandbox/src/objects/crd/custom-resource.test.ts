import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { finalizerWarnings } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { duplicateFields, strictError } from '../schema/strict.ts';
import {
  decodeCustomResource,
  prepareResourceForCreate,
  prepareResourceForStatusUpdate,
  prepareResourceForUpdate,
  validateResource,
  validateResourceStatusUpdate,
  validateResourceUpdate,
  withRuleErrors,
} from './custom-resource.ts';
import { convert, customResources, selectableFields } from './resource.ts';
import type { CustomResource } from './resource.ts';
import type { CustomResourceDefinition, DefinitionVersion } from './types.ts';

const text: Schema = { type: 'string' };
const embedded: Schema = { type: 'object', 'x-kubernetes-embedded-resource': true };

/** The schema for which the answers were recorded. */
const labSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        list: { type: 'array', items: { type: 'object', properties: { b: text } } },
        m: { type: 'object', additionalProperties: { type: 'object', properties: { b: text } } },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { c: { type: 'object', properties: { d: text } } },
        },
        emb: { ...embedded, 'x-kubernetes-preserve-unknown-fields': true },
        emb2: { ...embedded, properties: { spec: { type: 'object', properties: { x: text } } } },
      },
    },
  },
};

function resource(schema: Schema, more: Partial<DefinitionVersion> = {}, kind = 'Meta'): CustomResource {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {},
    spec: {
      group: 'lab.example.com',
      scope: 'Namespaced',
      names: { plural: `${kind.toLowerCase()}s`, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema as JsonObject }, ...more },
      ],
    },
  } as CustomResourceDefinition;
  return customResources(crd, { type: 'object' })[0] ?? assert.fail();
}

const load = (name: string): unknown => JSON.parse(readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8'));
const rows = (errors: readonly FieldError[]): string[][] => errors.map((e) => [e.type, e.field, e.detail]);
const lab = resource(labSchema);

describe('metadata is decoded and checked as kube-apiserver does', () => {
  interface Observed {
    meta: string;
    message?: string;
    causes?: string[][];
    stored?: JsonObject;
    warning?: string;
  }
  for (const row of load('metadata.json') as Observed[]) {
    test(row.meta, () => {
      const body = `{"apiVersion":"lab.example.com/v1","kind":"Meta","metadata":${row.meta}}`;
      const decoded = decodeCustomResource(lab, JSON.parse(body) as JsonObject);
      const complaints = [...duplicateFields(body), ...(decoded.error === undefined ? decoded.complaints : [])];
      const refusal = decoded.error ?? (complaints.length > 0 ? strictError(complaints) : undefined);
      const refused = row.message?.startsWith('Meta in version') === true;
      assert.equal(
        refusal === undefined ? undefined : `Meta in version "v1" cannot be handled as a Meta: ${refusal}`,
        refused ? row.message : undefined,
      );
      if (refused || decoded.error !== undefined) return;
      // The fields that the API server itself sets on create.
      for (const field of [
        'uid',
        'selfLink',
        'creationTimestamp',
        'deletionTimestamp',
        'deletionGracePeriodSeconds',
        'managedFields',
      ]) {
        delete decoded.object.metadata[field];
      }
      decoded.object.metadata.namespace = 'default';
      prepareResourceForCreate(lab, decoded.object);
      assert.deepEqual(rows(validateResource(lab, decoded.object)), row.causes ?? []);
      if (row.stored !== undefined) assert.deepEqual(decoded.object.metadata, row.stored);
      const warnings = finalizerWarnings(decoded.object.metadata, undefined);
      const header = warnings.map((warning) => `299 - ${JSON.stringify(warning)}`).join(', ');
      assert.equal(row.causes === undefined ? header : '', row.warning ?? '');
    });
  }
});

describe('strict field validation complains as kube-apiserver does', () => {
  interface Observed {
    body: string;
    mode: 'Strict' | 'Warn';
    code: number;
    warning: string | null;
    message?: string;
    spec?: JsonObject | null;
  }
  for (const row of load('strict.json') as Observed[]) {
    test(`${row.mode} ${row.body}`, () => {
      const decoded = decodeCustomResource(lab, JSON.parse(row.body) as JsonObject);
      assert.ok(decoded.error === undefined);
      const complaints = [...duplicateFields(row.body), ...decoded.complaints];
      if (row.mode === 'Strict' && row.code === 400) {
        assert.equal(`Meta in version "v1" cannot be handled as a Meta: ${strictError(complaints)}`, row.message);
        return;
      }
      assert.deepEqual(decoded.object['spec'], row.spec);
      // The server omits warnings that contain control characters.
      const sent = complaints.filter((complaint) => !complaint.includes('\u0001'));
      assert.equal(sent.map((each) => `299 - ${JSON.stringify(each)}`).join(', '), row.warning ?? '');
    });
  }
});

const object = (more: JsonObject = {}): KubeObject => ({
  apiVersion: 'lab.example.com/v1',
  kind: 'Meta',
  metadata: { name: 'x', namespace: 'default', resourceVersion: '1', generation: 1 },
  ...more,
});

test('an object of another kind is refused for its type alone', () => {
  assert.deepEqual(rows(validateResource(lab, { ...object(), kind: 'Other', metadata: {} })), [
    ['FieldValueInvalid', 'kind', 'Invalid value: "Other": must be Meta'],
  ]);
});

test('with a status subresource the main path does not write status, and status writes nothing else', () => {
  const split = resource(labSchema, { subresources: { status: {} } });
  const created = object({ status: { a: 1 } });
  prepareResourceForCreate(split, created);
  assert.equal(created['status'], undefined);

  const old = object({ spec: { a: '1' }, status: { a: 1 } });
  const updated = object({ spec: { a: '2' }, status: { a: 2 } });
  prepareResourceForUpdate(split, updated, old);
  assert.deepEqual([updated['status'], updated.metadata.generation], [{ a: 1 }, 2]);

  const status = object({ spec: { a: '2' }, status: { a: 2 } });
  status.metadata.labels = { a: 'b' };
  prepareResourceForStatusUpdate(status, old);
  assert.deepEqual(status, { ...old, status: { a: 2 } });
});

test('only changes besides metadata count as a generation', () => {
  const old = object({ spec: { a: '1' } });
  const updated = object({ spec: { a: '1' } });
  updated.metadata.labels = { a: 'b' };
  prepareResourceForUpdate(lab, updated, old);
  assert.equal(updated.metadata.generation, 1);
});

test('a status is validated by its own schema, with paths that start in it', () => {
  const schema: Schema = {
    type: 'object',
    properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
  };
  const split = resource(schema, { subresources: { status: {} } });
  assert.deepEqual(rows(validateResourceStatusUpdate(split, object({ status: { phase: 5 } }), object())), [
    [
      'FieldValueTypeInvalid',
      'status.phase',
      'Invalid value: "integer": phase in body must be of type string: "integer"',
    ],
  ]);
});

describe('replicas of the scale subresource', () => {
  const schema: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const scaled = resource(schema, { subresources: { scale } });
  const cases: [spec: JsonObject, errors: string[][]][] = [
    [{ replicas: 3 }, []],
    [{}, []],
    [
      { replicas: -1 },
      [['FieldValueInvalid', '.spec.replicas', 'Invalid value: -1: should be a non-negative integer']],
    ],
    [
      { replicas: 2147483648 },
      [
        [
          'FieldValueInvalid',
          '.spec.replicas',
          'Invalid value: 2147483648: should be less than or equal to 2147483647',
        ],
      ],
    ],
    [
      { replicas: 'x' },
      [
        [
          'FieldValueInvalid',
          '.spec.replicas',
          'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
        ],
      ],
    ],
  ];
  for (const [spec, errors] of cases) {
    test(JSON.stringify(spec), () => assert.deepEqual(rows(validateResource(scaled, object({ spec }))), errors));
  }
});

test('rules are not tried on objects that they could not read', () => {
  const rules = (): FieldError[] => [fieldError.invalid('spec', 1, 'rule')];
  const mild = fieldError.invalid('spec', 0, 'mild');
  const severe = fieldError.required('spec.a', '');
  assert.deepEqual(
    rows(withRuleErrors([mild], rules)).map((row) => row[2]),
    ['Invalid value: 0: mild', 'Invalid value: 1: rule'],
  );
  assert.deepEqual(rows(withRuleErrors([severe], rules))[1], [
    'FieldValueInvalid',
    '<nil>',
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  ]);
});

test('what cannot change in metadata is refused on update', () => {
  const changed = object();
  changed.metadata = { name: 'y', namespace: 'default', generation: 0, finalizers: ['a/b'] };
  const old = object();
  old.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  changed.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  assert.deepEqual(rows(validateResourceUpdate(lab, changed, old)), [
    [
      'FieldValueForbidden',
      'metadata.finalizers',
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b"}',
    ],
    ['FieldValueInvalid', 'metadata.resourceVersion', 'Invalid value: "": must be specified for an update'],
    ['FieldValueInvalid', 'metadata.generation', 'Invalid value: 0: must not be decremented'],
    ['FieldValueInvalid', 'metadata.name', 'Invalid value: "y": field is immutable'],
  ]);
});

test('conversion changes the apiVersion and nothing else', () => {
  const before = object({ spec: { a: '1' } });
  assert.deepEqual(convert(before, 'lab.example.com/v2'), { ...before, apiVersion: 'lab.example.com/v2' });
  assert.equal(convert(before, before.apiVersion), before);
});

test('selectable fields are shown as texts, missing ones as empty', () => {
  const selectable = resource(labSchema, {
    selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.on' }],
  });
  assert.deepEqual(selectableFields(selectable, object({ spec: { size: 3, on: false } })), {
    'spec.color': '',
    'spec.size': '3',
    'spec.on': 'false',
  });
});
