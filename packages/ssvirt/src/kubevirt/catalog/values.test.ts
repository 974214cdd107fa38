/**
 * Values for the parameters of a template: which are refused, which are generated here, and which are left to the
 * cluster.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { CatalogParameter } from './entry.ts';
import { generate } from './generate.ts';
import { longestValue, referencesIn, resolveValues, withDefaults } from './values.ts';

function parameter(name: string, more: Partial<CatalogParameter> = {}): CatalogParameter {
  return {
    name,
    displayName: name,
    description: '',
    required: false,
    hasDefault: more.default !== undefined,
    ...more,
  };
}

const parameters = [
  parameter('NAME', { generatedFrom: 'fedora-[a-z0-9]{16}' }),
  parameter('IMAGE', { default: 'fedora', required: true }),
  parameter('OWNER', { required: true }),
  parameter('PASSWORD', { hasDefault: true }),
  parameter('NOTE'),
];

suite('values of parameters', () => {
  test('that are given, and those that are generated, go to the cluster, which knows the defaults of the others', () => {
    const { values, generated, problems } = resolveValues(parameters, { OWNER: 'me', NOTE: '' });
    assert.match(String(generated['NAME']), /^fedora-[a-z0-9]{16}$/);
    assert.deepEqual(values, { ...generated, OWNER: 'me', NOTE: '' });
    assert.deepEqual([Object.keys(generated), problems], [['NAME'], []]);
  });

  test('that are given are not generated, not even where they are empty', () => {
    for (const NAME of ['web', ''])
      assert.deepEqual(resolveValues(parameters, { OWNER: 'me', NAME }), {
        values: { OWNER: 'me', NAME },
        generated: {},
        problems: [],
      });
  });

  test('that a name needs are known at once: defaults are written down', () => {
    const needed = referencesIn(['${NAME}-${IMAGE}', '${{NOTE}}', 'plain']);
    assert.deepEqual([...needed], ['NAME', 'IMAGE', 'NOTE']);
    const { values, problems } = resolveValues(parameters, { OWNER: 'me' }, { needed });
    assert.deepEqual(problems, []);
    assert.match(String(values['NAME']), /^fedora-[a-z0-9]{16}$/);
    assert.deepEqual({ ...values, NAME: '' }, { NAME: '', IMAGE: 'fedora', OWNER: 'me', NOTE: '' });
  });

  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string, RegExp])[] = [
    [
      'an unknown name',
      { OWNER: 'x', OWNR: 'y' },
      'parameters.OWNR',
      /no such parameter; there are NAME, IMAGE, OWNER/,
    ],
    ['a required one that is missing', {}, 'parameters.OWNER', /required, and has no default/],
    ['a required one that is empty', { OWNER: '' }, 'parameters.OWNER', /may not be empty/],
    ['a required one whose default is emptied', { OWNER: 'x', IMAGE: '' }, 'parameters.IMAGE', /may not be empty/],
    ['a number', { OWNER: 3 }, 'parameters.OWNER', /not a string/],
    ['null', { OWNER: null }, 'parameters.OWNER', /not a string/],
    [
      'a very long one',
      { OWNER: 'ä'.repeat(longestValue / 2 + 1) },
      'parameters.OWNER',
      /32770 bytes; the limit is 32768/,
    ],
    ['what no database keeps', { OWNER: 'a\0b' }, 'parameters.OWNER', /characters/],
    ['half a character', { OWNER: '\ud800' }, 'parameters.OWNER', /characters/],
    ['a name of every object', { OWNER: 'x', constructor: 'y' }, 'parameters.constructor', /no such parameter/],
  ];
  for (const [name, given, field, message] of cases)
    test(`refuse ${name}`, () => {
      const { problems } = resolveValues(parameters, given);
      assert.deepEqual(
        problems.map((problem) => problem.field),
        [field],
      );
      assert.match(problems[0]?.message ?? '', message);
    });

  test('that are not known in advance are asked for where a name needs them', () => {
    const { problems } = resolveValues(
      [parameter('PASSWORD', { hasDefault: true }), parameter('X', { generatedFrom: '[z-a]{3}' })],
      {},
      { needed: new Set(['PASSWORD', 'X']) },
    );
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['parameters.PASSWORD', 'parameters.X'],
    );
  });

  test('with the defaults under them leave out what the cluster alone knows', () => {
    assert.deepEqual(
      [...withDefaults(parameters, { OWNER: 'me' })],
      [
        ['IMAGE', 'fedora'],
        ['OWNER', 'me'],
        ['NOTE', ''],
      ],
    );
  });
});

suite('a value that is made up', () => {
  const cases: readonly (readonly [string, RegExp | undefined])[] = [
    ['plain', /^plain$/],
    ['web-[a-z0-9]{5}', /^web-[a-z0-9]{5}$/],
    ['[a-z]{4}-[0-9]{2}', /^[a-z]{4}-[0-9]{2}$/],
    ['[a-zA-Z0-9]{16}', /^[a-zA-Z0-9]{16}$/],
    ['[\\d]{3}', /^[0-9]{3}$/],
    ['[\\w]{8}', /^\w{8}$/],
    ['[\\a]{255}', /^[a-zA-Z0-9]{255}$/],
    ['[\\A]{20}', /^[^a-zA-Z0-9\s]{20}$/],
    ['[\\w\\A]{5}[\\d]{2}', /^\S{5}\d{2}$/],
    ['[A-C]{1}', /^[A-C]$/],
    ['[abc123]{6}', /^[abc123]{6}$/],
    ['[x-z_]{2}', /^\[x-z_\]\{2\}$/],
    ['[a-z-]{3}', /^[a-z]{3}$/],
    ['[Z-a]{3}', undefined],
    ['[-]{3}', undefined],
    ['[a-z]{0001}', undefined],
    ['[a-a]{2}', /^aa$/],
    ['[a-z]{0}', undefined],
    ['[a-z]{256}', undefined],
    ['[a-z]{x}', undefined],
    ['[z-a]{3}', undefined],
    ['[ABC]{3}', /^[ABC]{3}$/],
    ['[a-z]', /^\[a-z\]$/],
  ];
  for (const [expression, expected] of cases)
    test(`of ${expression} is ${expected === undefined ? 'none' : String(expected)}`, () => {
      const made = generate(expression);
      if (expected === undefined) assert.equal(made, undefined);
      else assert.match(made ?? '', expected);
    });

  test('has every character of its class, each once: the last, and none twice where ranges overlap', () => {
    const drawnOf = (expression: string): string => {
      let at = 0;
      const limits = new Set<number>();
      const made = generate(expression, (limit) => (limits.add(limit), at++ % limit));
      return `${[...limits].join()} ${made ?? ''}`;
    };
    assert.equal(drawnOf('[0-9]{10}'), '10 0123456789');
    assert.equal(drawnOf('[a-cb-d]{4}'), '4 abcd');
    assert.equal(drawnOf('[x-zA-B0]{6}'), '6 xyzAB0');
  });

  test('is another one each time', () => {
    assert.equal(new Set(Array.from({ length: 100 }, () => generate('[a-z0-9]{16}'))).size, 100);
  });

  test('is text or nothing, whatever the expression', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '{', '}', 'a', 'z', '0', '9', '-', '\\', 'w') }),
        (text) => {
          const made = generate(text);
          assert.ok(made === undefined || typeof made === 'string');
        },
      ),
    );
  });
});
