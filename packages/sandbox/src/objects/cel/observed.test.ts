/**
 * Rules and objects with the recorded answers of API server 1.36.3. It invents a new type name for `self` each time.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { FieldError } from '../../server/api/status.ts';
import type { Json } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { checkRules } from './rule-check.ts';
import { TotalCost } from './cost/rule-cost.ts';
import { evaluateRules } from './rules.ts';

interface ObservedRules {
  readonly schema: Schema;
  readonly object: Json;
  readonly rules: readonly {
    readonly rule?: string;
    readonly messageExpression?: string;
    /** The errors when the rule is created. */
    readonly refused?: readonly string[];
    /** The errors for the object if the rule compiles (it may still be too expensive). */
    readonly errors?: readonly string[];
  }[];
}

interface ObservedObject {
  readonly name: string;
  readonly schema: Schema;
  readonly value: Json;
  readonly old?: Json;
  readonly errors: readonly { readonly type: string; readonly text: string }[];
  readonly warnings: readonly string[];
}

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`./testdata/${file}`, import.meta.url), 'utf8'));
const sameName = (text: string): string => text.replace(/selfType\d+/g, 'selfType0');
const textOf = ({ field, detail }: FieldError): string => sameName(`${field}: ${detail}`);

describe('rules that the real server was asked about', () => {
  const { schema, object, rules } = read('observed-rules.json') as ObservedRules;
  for (const { rule, messageExpression, refused, errors } of rules) {
    const validation = { rule: rule ?? 'false', ...(messageExpression === undefined ? {} : { messageExpression }) };
    const spec: Schema = { ...schema, 'x-kubernetes-validations': [validation] };
    const root: Schema = { type: 'object', properties: { spec } };
    const total = new TotalCost();
    const place = { schema: spec, path: 'schema.properties[spec]', isRoot: false, cardinality: 1 };
    test(`${rule ?? messageExpression}`, () => {
      const found = checkRules({ ...place, uncorrelatable: undefined, anyCost: false }, total);
      assert.deepEqual([...found, ...total.excess('schema')].map(textOf), refused ?? []);
      if (errors !== undefined) assert.deepEqual(evaluateRules(root, object, undefined).errors.map(textOf), errors);
    });
  }
});

describe('objects that the real server was given', () => {
  for (const { name, schema, value, old, errors, warnings } of read('observed-objects.json') as ObservedObject[]) {
    test(name, () => {
      const findings = evaluateRules(schema, value, old);
      assert.deepEqual(
        findings.errors.map((error) => ({ type: error.type, text: textOf(error) })),
        errors,
      );
      assert.deepEqual(findings.warnings.map(sameName), warnings);
    });
  }
});
