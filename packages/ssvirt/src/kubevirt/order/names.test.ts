import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { childNames, nameProblem } from './names.ts';

/** The rule for the name of a Service; the names of the other children may be longer. */
const serviceName = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const objectName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,70}[a-z0-9])?$/);

suite('the name of an order', () => {
  test('is taken exactly where its Service can bear it', () => {
    fc.assert(
      fc.property(objectName, (name) => {
        const isGood = serviceName.test(childNames({ name }).service) && serviceName.test(name);
        assert.equal(nameProblem({ name }) === undefined, isGood);
      }),
    );
  });

  test('has at most 49 characters', () => {
    assert.equal(nameProblem({ name: 'x'.repeat(49) }), undefined);
    assert.equal(childNames({ name: 'x'.repeat(49) }).service.length, 63);
    assert.match(nameProblem({ name: 'x'.repeat(50) })?.message ?? '', /has 50 characters.*at most 49 characters/);
  });

  const cases: readonly (readonly [string, RegExp])[] = [
    ['web.shop', /"web.shop" has a dot/],
    ['1web', /"1web" begins with a digit/],
    ['web-', /is not a DNS label/],
    ['Web', /is not a DNS label/],
    ['', /is not a DNS label/],
    ['web\nshop', /"web shop" is not a DNS label/],
  ];
  for (const [name, says] of cases)
    test(`is refused with what is wrong and what to do: ${JSON.stringify(name)}`, () => {
      const problem = nameProblem({ name });
      assert.equal(problem?.reason, 'InvalidName');
      assert.match(problem.message, says);
      assert.match(problem.message, /delete the order and write one with another name/);
    });
});
