import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { counted } from './columns.ts';
import { instanceProblems, instanceUpdateProblems, parameterProblems } from './validation.ts';

const texts = (problems: readonly FieldError[]): readonly string[] =>
  problems.map(({ field, detail }) => `${field}: ${detail}`);

const instance = (spec: JsonObject): KubeObject => ({
  apiVersion: 'template.openshift.io/v1',
  kind: 'TemplateInstance',
  metadata: { name: 'a', namespace: 'n' },
  spec: { requester: { username: 'me' }, ...spec },
});

describe('parameters', () => {
  const cases: [string, JsonObject, readonly string[]][] = [
    ['letters, digits and underscores', { name: 'A_b9' }, []],
    ['no name', {}, ['parameters[0].name: Required value']],
    ['a dash', { name: 'a-b' }, ['parameters[0].name: Invalid value: "a-b": does not match ^[a-zA-Z0-9_]+$']],
  ];
  for (const [what, parameter, problems] of cases)
    test(what, () => assert.deepEqual(texts(parameterProblems({ parameters: [parameter] })), problems));
});

describe('instances', () => {
  const cases: [string, JsonObject, readonly string[]][] = [
    ['a template without a name', { template: { objects: [] } }, []],
    ['a Secret without a name', { secret: {} }, ['spec.secret.name: Required value']],
    ['no requester', { requester: null }, ['spec.requester: Required value']],
    ['a requester without a name', { requester: {} }, ['spec.requester.username: Required value']],
    [
      'a parameter that is wrong',
      { template: { parameters: [{ name: '' }] } },
      ['spec.template.parameters[0].name: Required value'],
    ],
  ];
  for (const [what, spec, problems] of cases)
    test(what, () => assert.deepEqual(texts(instanceProblems(instance(spec))), problems));

  test('an invalid name in the template is reported with its place', () => {
    const [problem] = instanceProblems(instance({ template: { metadata: { name: 'A B' } } }));
    assert.equal(problem?.field, 'spec.template.metadata.name');
  });

  test('a spec cannot be changed, metadata can', () => {
    const old = instance({});
    assert.deepEqual(instanceUpdateProblems({ ...old, metadata: { labels: { a: 'b' } } }, old), []);
    assert.deepEqual(texts(instanceUpdateProblems(instance({ secret: { name: 'b' } }), old)), [
      'spec: Forbidden: field is immutable',
    ]);
  });
});

describe('the column of parameters', () => {
  const cases: [readonly JsonObject[], string][] = [
    [[], '0 (all set)'],
    [[{ value: 'a' }], '1 (all set)'],
    [[{ value: 'a' }, { generate: 'expression' }], '2 (1 generated)'],
    [[{ generate: 'expression' }, {}, {}], '3 (2 blank)'],
  ];
  for (const [parameters, text] of cases) test(text, () => assert.equal(counted(parameters), text));
});
