/** The patches that distinguish a copy from its original. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VirtualMachine } from '../objects.ts';
import type { VirtualMachineClone } from './kinds.ts';
import { patchesOf } from './patches.ts';

const vm: VirtualMachine = {
  metadata: { name: 'vm1', labels: { app: 'web', 'team/name': 'a', 'team/secret': 'b' } },
  spec: {
    template: {
      spec: {
        domain: {
          devices: { interfaces: [{ name: 'default', macAddress: '02:00:00:00:00:01' }, { name: 'second' }] },
          firmware: { uuid: 'u', serial: 's' },
        },
      },
    },
  },
};

const firmware = '/spec/template/spec/domain/firmware';
const interfaces = '/spec/template/spec/domain/devices/interfaces';
const unlike = [
  { op: 'remove', path: `${interfaces}/0/macAddress` },
  { op: 'remove', path: `${firmware}/uuid` },
  { op: 'remove', path: `${firmware}/serial` },
];

suite('a copy', () => {
  const cases: readonly (readonly [name: string, spec: Partial<VirtualMachineClone['spec']>, operations: unknown])[] = [
    ['has addresses and numbers of its own', {}, unlike],
    [
      'has those that it is given',
      { newMacAddresses: { second: '02:00:00:00:00:09' }, newSMBiosSerial: 'mine' },
      [
        unlike[0],
        { op: 'add', path: `${interfaces}/1/macAddress`, value: '02:00:00:00:00:09' },
        unlike[1],
        { op: 'add', path: `${firmware}/serial`, value: 'mine' },
      ],
    ],
    [
      'has the labels that are let through',
      { labelFilters: ['*', '!team/secret'] },
      [{ op: 'remove', path: '/metadata/labels/team~1secret' }, ...unlike],
    ],
    [
      'has no labels that nothing lets through',
      { labelFilters: ['team/*'] },
      [{ op: 'remove', path: '/metadata/labels/app' }, ...unlike],
    ],
    [
      'is changed as the clone says',
      { patches: ['{"op":"add","path":"/spec/x","value":1}'] },
      [...unlike, { op: 'add', path: '/spec/x', value: 1 }],
    ],
  ];
  for (const [name, spec, operations] of cases)
    test(name, () => {
      const clone = { metadata: {}, spec: { source: { kind: 'VirtualMachine', name: 'vm1' }, ...spec } };
      assert.deepEqual(
        patchesOf(vm, clone).map((text) => JSON.parse(text) as unknown),
        operations,
      );
    });
});
