import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../../schema/schema.ts';
import { checkRules } from '../rule-check.ts';
import { TotalCost } from './rule-cost.ts';

const text = (maxLength?: number): Schema => ({ type: 'string', ...(maxLength === undefined ? {} : { maxLength }) });

const listOf = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});

const ruled = (schema: Schema, rule: string): Schema => ({ ...schema, 'x-kubernetes-validations': [{ rule }] });

const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

// The factors are those of the real server 1.36.3.
const COSTS: readonly (readonly [name: string, schema: Schema, factor: string | undefined])[] = [
  ['a search in a list of limited texts', ruled(listOf(text(100), 100), "self.exists(x, x == 'a')"), undefined],
  ['a search in a list without limits', ruled(listOf(text()), "self.exists(x, x == 'a')"), undefined],
  ['a list against itself without limits', ruled(listOf(text()), 'self.all(x, self.all(y, x == y))'), 'more than 100'],
  ['a list against itself with limits', ruled(listOf(text(10), 10), 'self.all(x, self.all(y, x == y))'), undefined],
  ['a pattern on a text without limit', ruled(text(), "self.matches('^[a-z]+$')"), undefined],
];

for (const [name, schema, factor] of COSTS) {
  test(`${name} ${factor === undefined ? 'is cheap enough' : `costs ${factor} times too much`}`, () => {
    const place = { schema, path: 'a', isRoot: false, cardinality: 1, uncorrelatable: undefined, anyCost: false };
    const [first] = checkRules(place, new TotalCost());
    const expected =
      factor === undefined
        ? undefined
        : `Forbidden: estimated rule cost exceeds budget by factor of ${factor}x ${ADVICE}`;
    assert.equal(first?.detail, expected);
  });
}
