import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { checkRules, type RulePlace } from './rule-check.ts';
import { TotalCost } from './cost/rule-cost.ts';

const text: Schema = { type: 'string', maxLength: 10 };

function found(schema: Schema, rule: ValidationRule, place: Partial<RulePlace> = {}): string[] {
  const errors = checkRules(
    {
      schema: { ...schema, 'x-kubernetes-validations': [{ rule: 'true' }, rule] },
      path: 's',
      isRoot: false,
      cardinality: 1,
      uncorrelatable: undefined,
      anyCost: false,
      ...place,
    },
    new TotalCost(),
  );
  return errors.map(({ field, detail }) => `${field}: ${detail}`);
}

test('optionalOldSelf without oldSelf is refused', () => {
  assert.deepEqual(found(text, { rule: 'true', optionalOldSelf: true }), [
    's.x-kubernetes-validations[1].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
  ]);
});

test('oldSelf cannot be used below a list whose items cannot be found again', () => {
  assert.deepEqual(found(text, { rule: 'self == oldSelf' }), []);
  assert.deepEqual(found(text, { rule: 'self == oldSelf' }, { uncorrelatable: 'l' }), [
    's.x-kubernetes-validations[1].rule: Invalid value: "self == oldSelf": ' +
      'oldSelf cannot be used on the uncorrelatable portion of the schema within l',
  ]);
});

test('a rule is printed as Go prints it', () => {
  assert.deepEqual(found(text, { rule: 'self.b < 1', reason: 'FieldValueInvalid' }), [
    's.x-kubernetes-validations[1].rule: Invalid value: {"Rule":"self.b \\u003c 1","Message":"","MessageExpression":"",' +
      '"Reason":"FieldValueInvalid","FieldPath":"","OptionalOldSelf":null}: compilation failed: ' +
      "ERROR: <input>:1:5: type 'string' does not support field selection\n | self.b < 1\n | ....^",
  ]);
});

test('a rule on something without a type cannot be judged', () => {
  const [error, ...more] = found({ 'x-kubernetes-preserve-unknown-fields': true }, { rule: 'true' });
  assert.match(error ?? '', /^s\.x-kubernetes-validations: Internal error: .*unable to convert structural schema/);
  assert.deepEqual(more, []);
});

test('what was accepted before may cost anything, and still counts', () => {
  const list: Schema = { type: 'array', items: { type: 'string' } };
  const rule = { rule: 'self.all(x, self.all(y, x == y))' };
  assert.equal(found(list, rule).length, 1);
  assert.equal(found(list, rule, { anyCost: true }).length, 0);
});
