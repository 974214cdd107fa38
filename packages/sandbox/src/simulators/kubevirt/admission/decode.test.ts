/** What virt-api answers to objects that it cannot decode, and what decoded objects look like. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import { unreadable } from './decode.ts';
import { shaped } from './go-shape.ts';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const quantity: Schema = { 'x-kubernetes-int-or-string': true, pattern: '^.*$' };
const key = object({ source: object({}), propagationMethod: object({}) }, ['source', 'propagationMethod']);
const vmi = object(
  {
    domain: object({
      cpu: object({ cores: { type: 'integer' } }),
      features: object({ acpi: object({}) }),
      memory: object({ guest: quantity }),
    }),
    accessCredentials: { type: 'array', items: object({ sshPublicKey: key }) },
    tolerations: { type: 'array', items: object({ effect: text }) },
    volumes: {
      type: 'array',
      items: object({ name: text, image: text, users: { type: 'array', items: text } }, ['name', 'image', 'users']),
    },
  },
  ['domain'],
);
const schema = object({ template: object({ spec: vmi }, ['spec']) }, ['template']);

const answer = (spec: JsonObject, given: Schema | undefined = schema): unknown => {
  const refusal = unreadable({ kind: 'VirtualMachine', spec }, given);
  return refusal === undefined || refusal.allowed ? undefined : `${refusal.code} ${refusal.message}`;
};
const inTemplate = (spec: JsonObject): JsonObject => ({ template: { spec: { domain: {}, ...spec } } });

describe('unreadable', () => {
  const rows: readonly (readonly [string, JsonObject, string | undefined])[] = [
    ['nothing is wrong', inTemplate({}), undefined],
    ['no template', { runStrategy: 'Halted' }, '422 spec.template in body is required'],
    ['no domain', { template: { spec: {} } }, '422 spec.template.spec.domain in body is required'],
    [
      'a bool for an object',
      inTemplate({ domain: { features: { acpi: true } } }),
      '422 spec.template.spec.domain.features.acpi in body must be of type object: "boolean"',
    ],
    [
      'a text for a number',
      inTemplate({ domain: { cpu: { cores: '4' } } }),
      '422 spec.template.spec.domain.cpu.cores in body must be of type integer: "string"',
    ],
    [
      'a struct that is missing in a list',
      inTemplate({ accessCredentials: [{ sshPublicKey: { source: {} } }] }),
      '422 spec.template.spec.accessCredentials.sshPublicKey.propagationMethod in body is required',
    ],
    [
      'a value outside of an enumeration',
      inTemplate({ tolerations: [{ effect: 'Maybe' }] }),
      '422 spec.template.spec.tolerations.effect in body should be one of [NoExecute NoSchedule PreferNoSchedule]',
    ],
    [
      'a negative count',
      inTemplate({ domain: { cpu: { cores: -1 } } }),
      '400 json: cannot unmarshal number -1 into Go struct field VirtualMachineInstanceTemplateSpec.spec.template.spec.domain.cpu.cores of type uint32',
    ],
    [
      'an amount that is none',
      inTemplate({ domain: { memory: { guest: 'lots' } } }),
      "400 quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ];
  for (const [name, spec, said] of rows) test(name, () => assert.equal(answer(spec), said));

  test('a definition that says nothing leaves the least', () => {
    assert.equal(answer({}, undefined), '422 spec.template in body is required');
    assert.equal(answer({ template: { spec: {} } }, {}), '422 spec.template.spec.domain in body is required');
    assert.equal(answer(inTemplate({}), undefined), undefined);
  });

  test('a cause of the schema has neither kind nor field', () => {
    const refusal = unreadable({ kind: 'VirtualMachine', spec: {} }, schema);
    assert.ok(refusal !== undefined && !refusal.allowed);
    assert.deepEqual(refusal.causes, [{ type: '', message: 'spec.template in body is required' }]);
  });
});

test('what Go has read it writes with its zeros, canonical amounts and without empty lists', () => {
  const spec = {
    domain: { memory: { guest: '1024Mi' } },
    tolerations: [],
    volumes: [{ name: 'a', users: [] }],
    other: null,
  };
  assert.deepEqual(shaped(vmi, spec), {
    domain: { memory: { guest: '1Gi' } },
    volumes: [{ name: 'a', image: '', users: [] }],
  });
});
