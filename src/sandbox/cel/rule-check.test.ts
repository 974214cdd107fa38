import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { compileRules } from './rules.ts';

const withRules = (...rules: ValidationRule[]): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': rules } },
});

const found = (schema: Schema): string[] => compileRules(schema, 's').map(({ field, detail }) => `${field}: ${detail}`);
const AT = 's.properties[spec].x-kubernetes-validations[0]';

const REFUSED: readonly (readonly [why: string, rule: ValidationRule, text: string])[] = [
  ['an empty rule', { rule: ' ' }, `${AT}.rule: Required value: rule is not specified`],
  [
    'a blank message',
    { rule: 'true', message: ' ' },
    `${AT}.message: Invalid value: " ": must be non-empty if specified`,
  ],
  [
    'a message of two lines',
    { rule: 'true', message: 'a\nb' },
    `${AT}.message: Invalid value: "a\\nb": must not contain line breaks`,
  ],
  [
    'a rule of two lines without a message',
    { rule: 'true ||\nfalse' },
    `${AT}.message: Required value: message must be specified if rule contains line breaks`,
  ],
  [
    'an unknown reason',
    { rule: 'true', reason: 'Other' },
    `${AT}.reason: Unsupported value: "Other": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
  ],
  [
    'a fieldPath to nowhere',
    { rule: 'true', fieldPath: '.b' },
    `${AT}.fieldPath: Invalid value: ".b": must be a valid path`,
  ],
  [
    'optionalOldSelf without oldSelf',
    { rule: 'true', optionalOldSelf: true },
    `${AT}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
  ],
];

for (const [why, rule, text] of REFUSED) {
  test(`${why} is refused`, () => {
    assert.deepEqual(found(withRules(rule)), [text]);
  });
}

test('oldSelf cannot be used below a list whose items cannot be found again', () => {
  const item: Schema = { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
  const schema: Schema = { type: 'object', properties: { l: { type: 'array', maxItems: 10, items: item } } };
  assert.deepEqual(found(schema), [
    's.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": ' +
      'oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[l]',
  ]);
});

test('a rule error says which schema and which rule it is about', () => {
  const [error] = compileRules(withRules({ rule: 'true' }, { rule: 'self.b' }));
  assert.equal(error?.path, 'openAPIV3Schema.properties[spec]');
  assert.equal(error.index, 1);
  assert.match(error.message, /^compilation failed: ERROR: <input>:1:5: undefined field 'b'/);
});
