import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fields } from '../facts/reading.ts';
import { atomicLists } from './build.ts';
import { identity, machineCases, objectsOf } from './cases.fixture.ts';
import { childLabels, childMetadata } from './identity.ts';
import { macAddress } from './names.ts';
import type { MachineSpec } from './resource.ts';

interface Built {
  readonly spec: {
    readonly runStrategy: string;
    readonly template: {
      readonly metadata: object;
      readonly spec: {
        readonly domain: {
          readonly devices: {
            readonly disks: readonly { readonly name: string; readonly bootOrder?: number; readonly disk: object }[];
            readonly interfaces: readonly object[];
            readonly networkInterfaceMultiqueue?: boolean;
          };
          readonly [field: string]: unknown;
        };
        readonly networks: readonly object[];
        readonly volumes: readonly { readonly name: string }[];
        readonly [field: string]: unknown;
      };
    };
  };
}

function build(spec: MachineSpec, who = identity): Built {
  return objectsOf(who, spec).at(-1) as unknown as Built;
}
const instance = (spec: MachineSpec): Built['spec']['template']['spec'] => build(spec).spec.template.spec;

suite('the virtual machine of a Machine', () => {
  test('is that of the reference: a small one with more CPU, memory and a disk', () => {
    const spec: MachineSpec = {
      template: 'small',
      resources: { cpu: { cores: 4 }, memory: { size: '8Gi' } },
      disks: [{ name: 'data', size: '100Gi', storageClass: 'fast-ssd' }],
    };
    const metadata = childMetadata(identity, 'vm-custom-vm');
    assert.deepEqual(build(spec), {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata,
      spec: {
        runStrategy: 'RerunOnFailure',
        template: {
          metadata: {
            labels: { ...metadata.labels, 'kubevirt.io/vm': 'vm-custom-vm' },
            annotations: identity.marks.annotations,
          },
          spec: {
            domain: {
              cpu: { cores: 4, threads: 1, sockets: 1 },
              memory: { guest: '8Gi' },
              devices: {
                disks: [
                  { name: 'root', disk: { bus: 'virtio' } },
                  { name: 'data', disk: { bus: 'virtio' } },
                ],
                interfaces: [
                  {
                    name: 'default',
                    model: 'virtio',
                    macAddress: macAddress(identity.uid, 'default'),
                    masquerade: {},
                  },
                ],
                networkInterfaceMultiqueue: true,
              },
            },
            networks: [{ name: 'default', pod: {} }],
            volumes: [
              { name: 'root', persistentVolumeClaim: { claimName: 'custom-vm-root' } },
              { name: 'data', persistentVolumeClaim: { claimName: 'custom-vm-data' } },
            ],
            evictionStrategy: 'LiveMigrateIfPossible',
            terminationGracePeriodSeconds: 60,
          },
        },
      },
    });
  });

  test('bears the labels by which people find it, and carries over two of the Machine', () => {
    assert.deepEqual(childLabels(identity), {
      'vitistack.io/managed-by': 'kubevirt-operator',
      'vitistack.io/machine': 'custom-vm',
      'vitistack.io/supervisor': identity.supervisor,
      'cluster.vitistack.io/cluster-name': 'prod',
      'vitistack.io/machine-template': 'web',
      'ssvirt.io/parent-uid': identity.uid,
      'ssvirt.io/parent-kind': 'Machine',
    });
  });

  test('is owned by its Machine only where that is in the same cluster', () => {
    const owner = { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', name: identity.name, uid: identity.uid };
    assert.equal(childMetadata(identity, 'x').ownerReferences, undefined);
    for (const object of objectsOf({ ...identity, owner }, { template: 'small' }))
      assert.deepEqual(object.metadata.ownerReferences, [owner]);
  });

  test('is halted where it is not to run', () => {
    assert.equal(build({ template: 'small', running: false }).spec.runStrategy, 'Halted');
  });

  test('has networks of its own behind a bridge, and the pod network behind masquerade', () => {
    const { networks, domain } = instance({
      template: 'small',
      networks: [
        { name: 'eth0', networkName: 'prod-network', macAddress: '52:54:00:12:34:56' },
        { name: 'eth1', model: 'e1000' },
      ],
    });
    assert.deepEqual(networks, [
      { name: 'eth0', multus: { networkName: 'prod-network' } },
      { name: 'eth1', pod: {} },
    ]);
    const second = macAddress(identity.uid, 'eth1');
    assert.deepEqual(domain.devices.interfaces, [
      { name: 'eth0', model: 'virtio', macAddress: '52:54:00:12:34:56', bridge: {} },
      { name: 'eth1', model: 'e1000', macAddress: second, masquerade: {} },
    ]);
  });

  test('has several queues only where a card can have them', () => {
    const { devices } = instance({ template: 'small', networks: [{ name: 'a', model: 'rtl8139' }] }).domain;
    assert.equal(devices.networkInterfaceMultiqueue, undefined);
  });

  test('waits for disks that are filled', () => {
    const { volumes } = instance({
      template: 'small',
      disks: [{ name: 'root', source: { http: { url: 'https://example.com/a' } } }],
    });
    assert.deepEqual(volumes, [{ name: 'root', dataVolume: { name: 'custom-vm-root' } }]);
  });

  test('does not write to what may only be read', () => {
    const { devices } = instance({
      template: 'small',
      disks: [{ name: 'data', size: '1Gi', accessMode: 'ReadOnlyMany' }],
    }).domain;
    assert.deepEqual(devices.disks[1], { name: 'data', disk: { bus: 'virtio', readonly: true } });
  });

  test('reads its cloud-init data from a disk behind the others', () => {
    const { domain, volumes } = instance({ template: 'small', cloudInit: { userData: '#cloud-config\n' } });
    assert.deepEqual(domain.devices.disks.at(-1), { name: 'cloudinitdisk', disk: { bus: 'virtio' } });
    assert.deepEqual(volumes.at(-1), {
      name: 'cloudinitdisk',
      cloudInitNoCloud: { userData: '#cloud-config\n' },
    });
  });

  test('boots from the first disk and the first card, in the order that is said', () => {
    const disks = [{ name: 'data', size: '1Gi' }];
    const places = (bootOrder: MachineSpec['bootOrder']): object => {
      const { devices } = instance({
        template: 'small',
        disks,
        networks: [{ name: 'a' }, { name: 'b', networkName: 'prod-network' }],
        ...defined({ bootOrder }),
      }).domain;
      return [...devices.disks, ...devices.interfaces].map((one) => (one as { bootOrder?: number }).bootOrder);
    };
    const none = undefined;
    assert.deepEqual(places(undefined), [none, none, none, none]);
    assert.deepEqual(places(['disk', 'network', 'cdrom']), [1, none, 2, none]);
    assert.deepEqual(places(['cdrom', 'network']), [none, none, 1, none]);
    assert.deepEqual(places(['network', 'disk']), [2, none, 1, none]);
  });

  test('boots from a disk of type cdrom, which the guest sees as one', () => {
    const disks = [
      { name: 'data', size: '1Gi' },
      { name: 'medium', size: '1Gi', type: 'cdrom' },
    ] as const;
    const { devices } = instance({ template: 'small', disks, bootOrder: ['cdrom', 'disk'] }).domain;
    assert.deepEqual(devices.disks, [
      { name: 'root', disk: { bus: 'virtio' }, bootOrder: 2 },
      { name: 'data', disk: { bus: 'virtio' } },
      { name: 'medium', cdrom: { bus: 'sata', readonly: true }, bootOrder: 1 },
    ]);
  });

  for (const [name, spec, secretText] of machineCases)
    test(`is whole: ${name}`, () => {
      const built = objectsOf(identity, spec, secretText).at(-1) as unknown as Built;
      const { domain, volumes, networks } = built.spec.template.spec;
      const names = (all: readonly object[]): unknown[] => all.map((one) => (one as { name: string }).name);
      assert.deepEqual(names(domain.devices.disks), names(volumes));
      assert.deepEqual(names(domain.devices.interfaces), names(networks));
      // Every list that others may add to is present, so that entries that we drop are removed from the cluster.
      for (const { path } of atomicLists)
        assert.ok(Array.isArray(path.split('.').reduce<unknown>((at, field) => fields(at)[field], built)));
    });
});
