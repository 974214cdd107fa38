import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { defaultRuleErrors, evaluateRules } from './rules.ts';

const labels: Schema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  'x-kubernetes-validations': [{ rule: "'app' in self", message: 'needs an app' }],
};

test('the default of a part of a resource is judged by its own type, not as a resource', () => {
  assert.deepEqual(defaultRuleErrors(labels, { app: 'x' }, 'labels', false), []);
  assert.deepEqual(defaultRuleErrors(labels, { other: 'x' }, 'labels', false), [
    { type: 'FieldValueInvalid', field: 'labels', detail: 'Invalid value: needs an app' },
  ]);
});

test('a default must keep its rules both as the value that was there and as a new one', () => {
  const number = (rule: ValidationRule): Schema => ({ type: 'integer', 'x-kubernetes-validations': [rule] });
  const failures = (rule: ValidationRule): number => defaultRuleErrors(number(rule), 3, 'n', false).length;
  assert.equal(failures({ rule: 'self >= oldSelf' }), 0);
  assert.equal(failures({ rule: 'self > oldSelf' }), 1);
  assert.equal(failures({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }), 1);
  assert.equal(failures({ rule: '!oldSelf.hasValue()', optionalOldSelf: true }), 1);
});

test('a schema without rules finds nothing', () => {
  assert.deepEqual(evaluateRules({ type: 'object' }, { a: 1 }, undefined), { errors: [], warnings: [] });
});
