import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../schema/schema.ts';
import { evaluateRules, validateRules } from './rules.ts';

const labels: Schema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  'x-kubernetes-validations': [{ rule: "'app' in self", message: 'needs an app' }],
};

test('a part of a resource is judged by its own type, not as a resource', () => {
  assert.deepEqual(validateRules(labels, { app: 'x' }, undefined, 'labels', false), []);
  assert.deepEqual(validateRules(labels, { other: 'x' }, undefined, 'labels', false), [
    { type: 'FieldValueInvalid', field: 'labels', detail: 'Invalid value: needs an app' },
  ]);
});

test('a schema without rules finds nothing', () => {
  assert.deepEqual(evaluateRules({ type: 'object' }, { a: 1 }, undefined), { errors: [], warnings: [] });
});
