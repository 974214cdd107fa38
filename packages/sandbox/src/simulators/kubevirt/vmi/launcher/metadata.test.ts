import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vmiOf } from '../builders.fixture.ts';
import { hostnameOf, launcherAnnotations, launcherLabels, vmiIdOf } from './metadata.ts';
import { podInterfaceName } from './networks.ts';
import { affinityOf, nodeSelectorOf } from './placement.ts';

for (const { name, hostname, is } of [
  { name: 'vm1', hostname: undefined, is: 'vm1' },
  { name: 'web.01', hostname: undefined, is: 'web' },
  { name: 'vm1', hostname: 'guest', is: 'guest' },
  { name: 'a'.repeat(100), hostname: undefined, is: 'a'.repeat(63) },
  { name: `${'a'.repeat(62)}-b`, hostname: undefined, is: 'a'.repeat(62) },
])
  test(`a VMI called ${name.slice(0, 20)} has the host name ${is.slice(0, 20)}`, () => {
    assert.equal(hostnameOf(vmiOf({ metadata: { name }, spec: hostname === undefined ? {} : { hostname } })), is);
  });

test('a long name becomes an id that fits into a label', () => {
  assert.equal(vmiIdOf('vm1'), 'vm1');
  assert.equal(vmiIdOf('b'.repeat(100)), `${'b'.repeat(54)}-dd3b750e`);
});

test('the labels of the VMI come along, and with them whose the pod is and what its guest is called', () => {
  const vmi = vmiOf({ metadata: { name: 'web.01', uid: 'vmi-uid', labels: { mine: 'x' } } });
  assert.deepEqual(launcherLabels(vmi), {
    mine: 'x',
    'kubevirt.io': 'virt-launcher',
    'kubevirt.io/created-by': 'vmi-uid',
    'vm.kubevirt.io/name': 'web',
    'vmi.kubevirt.io/id': 'web.01',
  });
});

test('annotations that are about the VMI itself stay there', () => {
  const vmi = vmiOf({
    metadata: { annotations: { mine: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } },
  });
  const made = launcherAnnotations(vmi, 1);
  assert.equal(made['mine'], 'x');
  assert.equal(made['kubectl.kubernetes.io/last-applied-configuration'], undefined);
});

test('a secondary network has a hashed interface, the first one eth0', () => {
  assert.equal(podInterfaceName({ name: 'lan', multus: { networkName: 'lan' } }), 'pod094a367b026');
  assert.equal(podInterfaceName({ name: 'default', pod: {} }), 'eth0');
});

test('nodes are chosen by architecture, machine type, and what the CPU needs', () => {
  const vmi = vmiOf({
    domain: {
      machine: { type: 'q35' },
      cpu: {
        model: 'Skylake',
        features: [{ name: 'aes' }, { name: 'vmx', policy: 'forbid' }, { name: 'x', policy: 'optional' }],
      },
    },
    spec: { architecture: 'amd64', nodeSelector: { zone: 'a' } },
  });
  assert.deepEqual(Object.keys(nodeSelectorOf(vmi)).toSorted(), [
    'cpu-feature.node.kubevirt.io/aes',
    'cpu-model.node.kubevirt.io/Skylake',
    'kubernetes.io/arch',
    'kubevirt.io/schedulable',
    'machine-type.node.kubevirt.io/q35',
    'zone',
  ]);
  assert.match(JSON.stringify(affinityOf(vmi)), /cpu-feature.node.kubevirt.io\/vmx","operator":"DoesNotExist"/);
});

test('every alternative of an affinity leaves out the nodes that do not fit', () => {
  const term = (key: string): object => ({ matchExpressions: [{ key, operator: 'Exists' }] });
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a'), term('b')] } },
  };
  const made = JSON.stringify(affinityOf(vmiOf({ spec: { affinity: affinity as never } })));
  assert.equal(made.match(/obsolete-host-model/g)?.length, 2);
});
