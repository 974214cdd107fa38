import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import type { VirtualMachine } from '../objects.ts';
import { revisionOf } from './revisions.ts';

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm1', namespace: 'ns1', uid: 'vm-uid' },
  spec: { runStrategy: 'Halted', template: { spec: { domain: {} } } },
};
const instancetype = (generation: number): Unstructured => ({
  apiVersion: 'instancetype.kubevirt.io/v1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name: 'u1.small', uid: 'type-uid', generation },
  spec: { cpu: { guest: 1 }, memory: { guest: '2Gi' } },
});

test('a VM keeps its instance type as it was, owned by the VM and labelled with where it comes from', () => {
  const { metadata, ...rest } = revisionOf(vm, instancetype(1));
  assert.equal(metadata.namespace, 'ns1');
  assert.equal(metadata.ownerReferences?.[0]?.uid, 'vm-uid');
  assert.deepEqual(metadata.labels, {
    'instancetype.kubevirt.io/object-generation': '1',
    'instancetype.kubevirt.io/object-kind': 'VirtualMachineClusterInstancetype',
    'instancetype.kubevirt.io/object-name': 'u1.small',
    'instancetype.kubevirt.io/object-uid': 'type-uid',
    'instancetype.kubevirt.io/object-version': 'v1',
  });
  assert.deepEqual((rest['data'] as Unstructured)['spec'], instancetype(1)['spec']);
});

test('each generation of an instance type has a revision of its own', () => {
  const names = [1, 2].map((generation) => revisionOf(vm, instancetype(generation)).metadata.name);
  assert.deepEqual(names, ['vm1-u1.small-v1-type-uid-1', 'vm1-u1.small-v1-type-uid-2']);
});
