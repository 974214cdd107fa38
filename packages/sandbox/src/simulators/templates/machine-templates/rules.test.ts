import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import type { VirtualMachine } from '../../kubevirt/objects.ts';
import { copiedDisks, stableName, templateOf } from './from-machine.ts';
import { generateValue } from './generate.ts';
import type { TemplateParameter, TemplateRequest } from './kinds.ts';
import { processMachine, withGiven } from './process.ts';
import { withReady } from './ready.ts';
import { admit } from './webhook.ts';

const machine: JsonObject = { metadata: { name: '${NAME}', namespace: 'x' }, spec: { cores: '${{CORES}}' } };

describe('processing', () => {
  test('fills in values, types the machine, and strips a namespace that is written out', () => {
    const parameters = [
      { name: 'NAME', generate: 'expression', from: 'vm-[a-c]{2}' },
      { name: 'CORES', value: '2' },
    ];
    const spec = { virtualMachine: machine, parameters, message: 'hello ${NAME}' };
    assert.deepEqual(
      processMachine({ spec }, (limit) => limit - 1),
      {
        virtualMachine: {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          metadata: { name: 'vm-cc' },
          spec: { cores: 2 },
        },
        message: 'hello vm-cc',
      },
    );
  });

  const refused: [string, readonly TemplateParameter[], string, RegExp][] = [
    ['an empty name', [{ name: '' }], 'spec.parameters[0].name', /parameter name is empty/],
    ['a name twice', [{ name: 'A' }, { name: 'A' }], 'spec.parameters[1].name', /^Duplicate value: "A"$/],
    [
      'another generator',
      [{ name: 'A', generate: 'magic' }],
      'spec.parameters[0].generate',
      /unknown generator name 'magic' for parameter 'A'/,
    ],
    [
      'nothing to generate from',
      [{ name: 'A', generate: 'expression' }],
      'spec.parameters[0].from',
      /from cannot be empty/,
    ],
    [
      'no value where one is required',
      [{ name: 'A', required: true }],
      'spec.parameters[0].value',
      /^Required value: parameter 'A' is required and a value must be specified$/,
    ],
    ['a reference to nothing', [], 'spec.parameters', /found parameter 'NAME' but it was not defined/],
  ];
  for (const [what, parameters, field, detail] of refused)
    test(`refuses ${what}`, () => {
      const { problem } = processMachine({ spec: { virtualMachine: machine, parameters } });
      assert.equal(problem?.field, field);
      assert.match(problem.detail, detail);
    });

  test('takes given values, and names one that the template does not know', () => {
    assert.deepEqual(withGiven([{ name: 'A', value: '1' }], { A: '2' }), [{ name: 'A', value: '2' }]);
    assert.equal(withGiven([], { A: '2' }), 'A');
  });
});

describe('generated values', () => {
  const last = (limit: number): number => limit - 1;
  for (const [expression, value] of [
    ['[0-9]{2}', '99'],
    ['[ABC]{3}', 'CCC'],
    ['a-[a-z]{1}', 'a-z'],
  ] as const)
    test(`of ${expression} may be ${value}`, () => assert.equal(generateValue(expression, last), value));
  for (const [expression, why] of [
    ['[z-a]{3}', /invalid range specified: z-a/],
    ['[a-z]{0}', /range must be within \[1-255\] characters: 0/],
    ['[a-z]{x}', /malformed length syntax/],
  ] as const)
    test(`of ${expression} there are none`, () => assert.throws(() => generateValue(expression), why));
});

test('a template that cannot be processed is refused, one that waits for a value is warned of', () => {
  const bad = admit({ object: { spec: { virtualMachine: machine, parameters: [] } } });
  assert.ok(!bad.allowed);
  assert.match(bad.message, /^processing validation failed: spec\.parameters: Invalid value/);
  const open = admit({ object: { spec: { virtualMachine: machine, parameters: [{ name: 'NAME', required: true }] } } });
  assert.deepEqual(open.warnings, [
    'processing validation skipped: required parameter "NAME" has neither value nor generator',
  ]);
});

test('a template that is ready already is left alone until it changes', () => {
  const ready = withReady([], 1);
  assert.equal(withReady(ready, 1), ready);
  assert.equal(withReady(ready, 2)[0]?.['observedGeneration'], 2);
});

test('a machine becomes a template: its name is a parameter, its disks are copies of copies', () => {
  const request: TemplateRequest = {
    metadata: { name: 'r', namespace: 'n', uid: 'u' },
    spec: { virtualMachineRef: { namespace: 'm', name: 'vm' } },
  };
  const vm: VirtualMachine = {
    metadata: { name: 'vm' },
    spec: {
      dataVolumeTemplates: [{ metadata: { name: 'root' } }],
      template: {
        spec: {
          domain: {},
          volumes: [
            { name: 'a', dataVolume: { name: 'root' } },
            { name: 'b', emptyDisk: {} },
          ],
        },
      },
    },
  };
  const copied = copiedDisks(request, vm);
  const copy = stableName('r', 'u', 'a');
  assert.deepEqual(copied, [{ volume: 'a', claim: 'root', copy }]);
  const { metadata, spec } = templateOf(request, vm, copied);
  assert.equal(metadata.name, 'r');
  const made = spec.virtualMachine?.['spec'] as unknown as VirtualMachine['spec'];
  assert.deepEqual(made.template.spec.volumes, [
    { name: 'a', dataVolume: { name: 'root-${NAME}' } },
    { name: 'b', emptyDisk: {} },
  ]);
  assert.deepEqual(made.dataVolumeTemplates, [
    { metadata: { name: 'root-${NAME}' }, spec: { source: { pvc: { namespace: 'n', name: copy } }, storage: {} } },
  ]);
});
