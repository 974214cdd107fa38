import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../values/json.ts';
import { generate } from './generate.ts';
import { processTemplate } from './process.ts';

const processed = (template: JsonObject): JsonObject => {
  const result = processTemplate(template, () => 0);
  assert.ok(result.problems === undefined);
  return result.template;
};

describe('generated values', () => {
  test('draw from each class, and leave the rest as it is', () => {
    assert.match(generate('fedora-[a-z0-9]{16}'), /^fedora-[a-z0-9]{16}$/);
    assert.match(generate('[a-z0-9]{4}-[a-z0-9]{4}'), /^[a-z0-9]{4}-[a-z0-9]{4}$/);
    assert.match(generate(String.raw`[\w]{10}`), /^\w{10}$/);
  });

  test('never draw the last character of a class, as OpenShift does not', () => {
    const highest = (limit: number): number => limit - 1;
    assert.equal(generate('[0-9]{3}', highest), '888');
    assert.equal(generate('[a-z]{2}', highest), 'yy');
  });

  for (const [expression, problem] of [
    ['[ABC]{3}', /malformed expresion syntax/],
    ['[a-z]{0}', /range must be within/],
    ['[a-z]{256}', /range must be within/],
    ['[z-a]{3}', /Invalid range/],
  ] as const) {
    test(`refuse ${expression}`, () => assert.throws(() => generate(expression), problem));
  }
});

describe('processing', () => {
  test('puts values into strings and keys, several times, and leaves unknown names', () => {
    const { objects } = processed({
      parameters: [{ name: 'NAME', value: 'web' }],
      objects: [{ kind: 'A', metadata: { name: '${NAME}-${NAME}', labels: { 'app-${NAME}': '${OTHER}' } } }],
    });
    assert.deepEqual(objects, [{ kind: 'A', metadata: { name: 'web-web', labels: { 'app-web': '${OTHER}' } } }]);
  });

  test('puts in JSON where the reference in double braces is the whole string', () => {
    const { objects } = processed({
      parameters: [
        { name: 'CORES', value: '4' },
        { name: 'TEXT', value: 'four' },
      ],
      objects: [{ kind: 'A', a: '${{CORES}}', b: '${{TEXT}}', c: 'x${{CORES}}', d: '${CORES}' }],
    });
    assert.deepEqual(objects, [{ kind: 'A', a: 4, b: 'four', c: 'x${{CORES}}', d: '4' }]);
  });

  test('strips namespaces that are written out, and keeps those that are parameters', () => {
    const { objects } = processed({
      parameters: [{ name: 'PLACE', value: 'there' }],
      objects: [
        { kind: 'A', metadata: { namespace: 'here', name: 'a' } },
        { kind: 'A', metadata: { namespace: '${PLACE}', name: 'b' } },
      ],
    });
    assert.deepEqual(objects, [
      { kind: 'A', metadata: { name: 'a' } },
      { kind: 'A', metadata: { namespace: 'there', name: 'b' } },
    ]);
  });

  test('adds the labels of the template to every object', () => {
    const { objects } = processed({
      labels: { owner: '${WHO}' },
      parameters: [{ name: 'WHO', value: 'me' }],
      objects: [{ kind: 'A', metadata: { name: 'a', labels: { owner: 'you', x: 'y' } } }],
    });
    assert.deepEqual(objects, [{ kind: 'A', metadata: { name: 'a', labels: { owner: 'me', x: 'y' } } }]);
  });

  test('generates what has no value, and says so in the parameters', () => {
    const { parameters } = processed({
      parameters: [{ name: 'NAME', generate: 'expression', from: 'vm-[a-z]{3}' }],
      objects: [],
    });
    assert.deepEqual(parameters, [{ name: 'NAME', generate: 'expression', from: 'vm-[a-z]{3}', value: 'vm-aaa' }]);
  });

  test('tells of all parameters that are missing, and of objects without a kind', () => {
    const missing = processTemplate({
      parameters: ['A', 'B'].map((name) => ({ name, required: true })),
      objects: [],
    });
    assert.deepEqual(
      missing.problems?.map(({ field }) => field),
      ['template.parameters[0]', 'template.parameters[1]'],
    );
    const { problems } = processTemplate({ objects: [{ metadata: { name: 'a' } }] });
    assert.equal(problems?.[0]?.field, 'item[0].objects');
    assert.match(problems[0]?.detail ?? '', /unable to handle object: Object 'Kind' is missing in '\{"metadata"/);
  });

  test('puts text, never JSON, into the message and the labels', () => {
    const { message, labels } = processed({
      message: 'It is ${NAME}',
      labels: { size: '${{CORES}}' },
      parameters: [
        { name: 'NAME', value: 'web' },
        { name: 'CORES', value: '4' },
      ],
    });
    assert.deepEqual([message, labels], ['It is web', { size: '4' }]);
  });

  const refused: [string, JsonObject, RegExp][] = [
    [
      'a required parameter without a value',
      { name: 'X', required: true },
      /^Required value: template\.parameters\[0\]: parameter X is required and must be specified$/,
    ],
    [
      'a generator that is not known',
      { name: 'X', generate: 'magic' },
      /^Invalid value: "magic": Unknown generator name 'magic' for parameter X$/,
    ],
    ['an expression that is malformed', { name: 'X', generate: 'expression', from: '[ABC]{3}' }, /malformed/],
  ];
  for (const [what, parameter, message] of refused) {
    test(`refuses ${what}`, () => {
      const { problems } = processTemplate({ parameters: [parameter], objects: [] });
      assert.match(problems?.[0]?.detail ?? '', message);
      assert.equal(problems?.[0]?.field, 'template.parameters[0]');
    });
  }
});
