import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { template, vm } from './builders.fixture.ts';
import { domainOf } from './domain.ts';
import { revisionNameOf, revisionOf } from './revisions.ts';
import { legacyUuid, vmiOf, withDeviceDefaults } from './vmi-of-vm.ts';

suite('the VMI of a VM', () => {
  test('has its name, the labels of its template, its generation, its owner and its finalizer', () => {
    const { metadata, status } = vmiOf(vm({ metadata: { generation: 3, labels: { own: 'label' } } }), 'revision');
    assert.equal(metadata.name, 'vm1');
    assert.deepEqual(metadata.labels, { tier: 'web' });
    assert.deepEqual(metadata.annotations, { 'kubevirt.io/vm-generation': '3' });
    assert.deepEqual(metadata.finalizers, ['kubevirt.io/virtualMachineControllerFinalize']);
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        name: 'vm1',
        uid: 'vm-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    assert.deepEqual(status, { virtualMachineRevisionName: 'revision' });
  });

  test('starts paused where that was asked for', () => {
    const asked = vm({ status: { stateChangeRequests: [{ action: 'Start', data: { paused: 'true' } }] } });
    assert.equal(vmiOf(asked, '').spec['startStrategy'], 'Paused');
    assert.equal(vmiOf(vm(), '').spec['startStrategy'], undefined);
  });

  test('has a disk for every volume', () => {
    const volumes = [...(template().volumes ?? []), { name: 'extra', emptyDisk: {} }];
    const { spec } = vmiOf(vm({ template: template({ volumes }) }), '');
    assert.deepEqual(domainOf(spec).devices?.disks, [{ name: 'rootdisk', disk: { bus: 'virtio' } }, { name: 'extra' }]);
  });

  test('has the uuid of its template, or one that its name makes', () => {
    const own = template({ domain: { firmware: { uuid: 'own' } } });
    assert.equal(domainOf(vmiOf(vm({ template: own }), '').spec).firmware?.uuid, 'own');
    assert.equal(domainOf(vmiOf(vm(), '').spec).firmware?.uuid, legacyUuid('vm1'));
    assert.match(legacyUuid('vm1'), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('has a network and an input where it is to have them and names none', () => {
    const devices = { autoattachInputDevice: true };
    const spec = withDeviceDefaults(template({ domain: { devices } }), 'bridge');
    assert.deepEqual(spec.networks, [{ name: 'default', pod: {} }]);
    assert.deepEqual(domainOf(spec).devices?.interfaces, [{ name: 'default', bridge: {} }]);
    assert.deepEqual(domainOf(spec).devices?.inputs, [{ name: 'default-0' }]);
    const alone = template({ domain: { devices: { autoattachPodInterface: false } } });
    assert.equal(withDeviceDefaults(alone, 'masquerade'), alone);
  });
});

test('a start is written down with the revisions of instance type and preference that it used', () => {
  const machine = vm({
    metadata: { generation: 2 },
    spec: { instancetype: { name: 'u1.medium' } },
    status: { instancetypeRef: { name: 'u1.medium', controllerRevisionRef: { name: 'kept' } } },
  });
  const revision = revisionOf(machine, revisionNameOf(machine));
  assert.equal(revision.metadata.name, 'revision-start-vm-vm-uid-2');
  assert.equal(revision['revision'], 2);
  const { spec } = revision['data'] as { readonly spec: { readonly instancetype: unknown } };
  assert.deepEqual(spec.instancetype, { name: 'u1.medium', revisionName: 'kept' });
});
