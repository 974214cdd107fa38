import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValidationRule } from '../schema/schema.ts';
import { ruleFormErrors } from './rule-form.ts';
import type { SchemaProps } from './types.ts';

const schema: SchemaProps = { type: 'object', properties: { a: { type: 'string' } } };

const REFUSED: readonly (readonly [why: string, rule: ValidationRule, text: string])[] = [
  ['an empty rule', { rule: ' ' }, 'at.rule: Required value: rule is not specified'],
  ['a blank message', { rule: 'true', message: ' ' }, 'at.message: Invalid value: " ": must be non-empty if specified'],
  [
    'a message of two lines',
    { rule: 'true', message: 'a\nb' },
    'at.message: Invalid value: "a\\nb": must not contain line breaks',
  ],
  [
    'a rule of two lines without a message',
    { rule: 'true ||\nfalse' },
    'at.message: Required value: message must be specified if rule contains line breaks',
  ],
  [
    'an unknown reason',
    { rule: 'true', reason: 'Other' },
    'at.reason: Unsupported value: "Other": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
  [
    'a fieldPath to nowhere',
    { rule: 'true', fieldPath: '.b' },
    'at.fieldPath: Invalid value: ".b": must be a valid path',
  ],
];

for (const [why, rule, text] of REFUSED) {
  test(`${why} is refused`, () => {
    const found = ruleFormErrors(rule, schema, 'at').map(({ field, detail }) => `${field}: ${detail}`);
    assert.deepEqual(found, [text]);
  });
}
