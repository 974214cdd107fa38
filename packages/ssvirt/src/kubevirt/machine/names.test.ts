import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { attachmentName, cloudInitSecretName, diskName, macAddress, machineLabel, vmName } from './names.ts';

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const labelValue = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

suite('the names of the objects of a Machine', () => {
  test('are those of the reference where they can be', () => {
    assert.equal(vmName('my-machine'), 'vm-my-machine');
    assert.equal(diskName('custom-vm', 'root'), 'custom-vm-root');
    assert.equal(cloudInitSecretName('custom-vm'), 'vm-custom-vm-cloudinit');
    assert.equal(machineLabel('custom-vm'), 'custom-vm');
    assert.equal(attachmentName('prod-network'), 'prod-network');
  });

  test('are plain as long as they fit, and shortened with a hash behind that', () => {
    assert.equal(vmName('x'.repeat(60)), `vm-${'x'.repeat(60)}`);
    assert.match(vmName('x'.repeat(61)), /^vm-x{49}-[0-9a-f]{10}$/);
    assert.match(vmName('x'.repeat(253)), /^vm-x{49}-[0-9a-f]{10}$/);
    assert.match(diskName('x'.repeat(253), 'root'), /^x{52}-[0-9a-f]{10}$/);
  });

  test('have no dots, which would end the host name', () => {
    assert.match(vmName('web.shop'), /^vm-web-shop-[0-9a-f]{10}$/);
    assert.notEqual(vmName('web.shop'), vmName('web-shop'));
    assert.equal(machineLabel('web.shop'), 'web.shop', 'a label takes them, and people select by it');
  });

  test('never change: what is there would be made a second time', () => {
    assert.equal(vmName('x'.repeat(253)), 'vm-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-84310046f7');
    assert.equal(diskName('web.shop', 'root'), 'web-shop-root-5d78dcfa3c');
    assert.equal(macAddress('5b0b9a4e-0000-4000-8000-00000000a001', 'eth0'), '02:d5:1e:88:dd:2e');
  });

  const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
  const machineName = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) =>
    parts
      .join('.')
      .slice(0, 253)
      .replace(/[.-]+$/, ''),
  );
  const longName = fc.tuple(fc.constant('y'.repeat(200)), part).map(([start, end]) => `${start}${end}`);
  const anyName = fc.oneof(machineName, longName);

  test('are DNS labels, and the label is one that Kubernetes takes', () => {
    fc.assert(
      fc.property(anyName, part, (machine, disk) => {
        assert.match(vmName(machine), dnsLabel);
        assert.match(diskName(machine, disk), dnsLabel);
        assert.match(attachmentName(machine), dnsLabel);
        assert.match(machineLabel(machine), labelValue);
      }),
    );
  });

  test('differ where Machines or disks differ', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { minLength: 2, maxLength: 30 }), (machines) => {
        for (const nameOf of [vmName, machineLabel, attachmentName, (one: string) => diskName(one, 'root')])
          assert.equal(new Set(machines.map(nameOf)).size, machines.length);
      }),
    );
    fc.assert(
      fc.property(anyName, fc.uniqueArray(part, { minLength: 2, maxLength: 30 }), (machine, disks) => {
        assert.equal(new Set(disks.map((disk) => diskName(machine, disk))).size, disks.length);
      }),
    );
  });
});

suite('the address of a network card', () => {
  test('is of one station and locally administered, and stays', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (uid, network) => {
        const address = macAddress(uid, network);
        assert.match(address, /^02(:[0-9a-f]{2}){5}$/);
        assert.equal(macAddress(uid, network), address);
      }),
    );
  });

  test('differs between 20 000 cards', () => {
    const addresses = new Set<string>();
    for (let machine = 0; machine < 10_000; machine++)
      for (const network of ['eth0', 'eth1'])
        addresses.add(macAddress(`5b0b9a4e-0000-4000-8000-${machine.toString(16).padStart(12, '0')}`, network));
    assert.equal(addresses.size, 20_000);
  });
});
