import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { disksOf } from '../facts/disks.ts';
import { fields, list } from '../facts/reading.ts';
import { vmFacts } from '../facts/vm.ts';
import { buildMachine, type BuiltMachine } from './build.ts';
import { identity, machineCases, plain } from './cases.fixture.ts';
import type { VmSpec } from './spec.ts';

const size = { cpus: 2, memoryMb: 2048, running: true };
const build = (changes: Partial<VmSpec> = {}): BuiltMachine => buildMachine(identity, { ...plain, ...changes }, size);

const specOf = ({ machine }: BuiltMachine): Readonly<Record<string, unknown>> => fields(machine['spec']);
const instanceOf = (built: BuiltMachine): Readonly<Record<string, unknown>> =>
  fields(fields(specOf(built)['template'])['spec']);
const domainOf = (built: BuiltMachine): Readonly<Record<string, unknown>> => fields(instanceOf(built)['domain']);
const namesOf = (entries: unknown): readonly unknown[] => list(entries).map((entry) => fields(entry)['name']);
const decoded = (object: { readonly [field: string]: unknown } | undefined): object =>
  Object.fromEntries(
    Object.entries(fields(object?.['data'])).map(([key, text]) => [
      key,
      Buffer.from(String(text), 'base64').toString(),
    ]),
  );

suite('a machine that is made directly', () => {
  test('is a VirtualMachine with all that shows whose it is', () => {
    assert.deepEqual(build().machine, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: {
        name: 'web-01-9a1c44de',
        namespace: 'acme-production-7d6a3c6e',
        labels: {
          'app.kubernetes.io/managed-by': 'ssvirt',
          'ssvirt.io/installation-id': identity.installationId,
          'ssvirt.io/organization-id': identity.organizationId,
          'ssvirt.io/vdc-id': identity.vdcId,
          'vdc.ssvirt.io/vdc-id': identity.vdcId,
          'vapp.ssvirt.io/vapp-id': identity.vappId,
          'ssvirt.io/vm-id': identity.vmId,
        },
        annotations: {
          'ssvirt.io/vm-urn': `urn:vcloud:vm:${identity.vmId}`,
          'ssvirt.io/vm-name': 'Web 01',
          'ssvirt.io/vapp-name': 'Web shop',
          'ssvirt.io/vm-description': 'Serves the shop: "fast"',
        },
      },
      spec: {
        runStrategy: 'RerunOnFailure',
        template: {
          metadata: { labels: { ...build().machine.metadata.labels, 'kubevirt.io/vm': 'web-01-9a1c44de' } },
          spec: {
            hostname: 'web-01',
            domain: {
              cpu: { sockets: 2, cores: 1, threads: 1 },
              memory: { guest: '2048Mi' },
              devices: {
                disks: [{ name: 'rootdisk', disk: { bus: 'virtio' }, bootOrder: 1 }],
                interfaces: [{ name: 'default', masquerade: {} }],
              },
            },
            networks: [{ name: 'default', pod: {} }],
            volumes: [{ name: 'rootdisk', containerDisk: { image: 'containerdisks/fedora:42' } }],
            evictionStrategy: 'LiveMigrateIfPossible',
            terminationGracePeriodSeconds: 60,
          },
        },
      },
    });
    assert.deepEqual(build().secrets, []);
  });

  test('that is to be off is halted', () => {
    assert.equal(specOf(buildMachine(identity, plain, { ...size, running: false }))['runStrategy'], 'Halted');
  });

  const boots: readonly (readonly [string, Partial<VmSpec>, object])[] = [
    [
      'a boot image is cloned, as large as it is',
      { source: { kind: 'direct', boot: { kind: 'dataSource', namespace: 'images', name: 'fedora' } } },
      { sourceRef: { kind: 'DataSource', namespace: 'images', name: 'fedora' }, storage: {} },
    ],
    [
      'a boot image is cloned, larger, into a class',
      {
        source: { kind: 'direct', boot: { kind: 'dataSource', namespace: 'images', name: 'fedora' } },
        rootDisk: { sizeMb: 1536, storageClass: 'fast' },
      },
      {
        sourceRef: { kind: 'DataSource', namespace: 'images', name: 'fedora' },
        storage: { resources: { requests: { storage: '1536Mi' } }, storageClassName: 'fast' },
      },
    ],
    [
      'an image is imported',
      { source: { kind: 'direct', boot: { kind: 'url', url: 'https://e.example/x' } }, rootDisk: { sizeMb: 10 } },
      { source: { http: { url: 'https://e.example/x' } }, storage: { resources: { requests: { storage: '10Mi' } } } },
    ],
    [
      'an empty disk is made',
      { source: { kind: 'direct', boot: { kind: 'blank' } }, rootDisk: { sizeMb: 10 } },
      { source: { blank: {} }, storage: { resources: { requests: { storage: '10Mi' } } } },
    ],
  ];
  for (const [reason, changes, expected] of boots)
    test(reason, () => {
      const built = build(changes);
      const { labels } = built.machine.metadata;
      assert.deepEqual(specOf(built)['dataVolumeTemplates'], [
        { metadata: { name: 'web-01-9a1c44de-rootdisk', labels }, spec: expected },
      ]);
      assert.deepEqual(instanceOf(built)['volumes'], [
        { name: 'rootdisk', dataVolume: { name: 'web-01-9a1c44de-rootdisk' } },
      ]);
    });

  test('has its other disks behind the one that it boots from, each under its own name and serial number', () => {
    const built = build({ disks: [{ name: 'data', sizeMb: 100 }] });
    assert.deepEqual(fields(domainOf(built)['devices'])['disks'], [
      { name: 'rootdisk', disk: { bus: 'virtio' }, bootOrder: 1 },
      { name: 'data', disk: { bus: 'virtio' }, serial: 'data' },
    ]);
    assert.deepEqual(list(instanceOf(built)['volumes'])[1], {
      name: 'data',
      dataVolume: { name: 'web-01-9a1c44de-data' },
    });
  });

  for (const [reason, names] of [
    ['the name of the root disk', ['rootdisk']],
    ['the name of the cloud-init disk', ['cloudinitdisk']],
    ['one name twice', ['data', 'data']],
    ['a name that is none', ['Data']],
  ] as const)
    test(`is not built with a disk that has ${reason}`, () => {
      assert.throws(() => build({ disks: names.map((name) => ({ name, sizeMb: 1 })) }), /cannot build the machine/);
    });

  test('is not built on a network of another namespace', () => {
    const networks = [{ name: 'lan', kind: 'multus', networkName: 'others/vlan-7' }] as const;
    assert.throws(() => build({ networks }), /"others\/vlan-7" is not in its own namespace/);
  });

  test('is not built where something else makes it', () => {
    assert.throws(() => build({ source: { kind: 'template' } }), /to be made by a template/);
  });

  test('has neither CPUs nor memory of its own with an instance type', () => {
    const built = build({ instancetype: { name: 'u1.small' } });
    assert.deepEqual(specOf(built)['instancetype'], { kind: 'VirtualMachineClusterInstancetype', name: 'u1.small' });
    assert.deepEqual(Object.keys(domainOf(built)), ['devices']);
  });

  test('leaves the bus of its disks to a preference', () => {
    const built = build({ preference: { name: 'windows' }, sshKeys: ['ssh-rsa A'] });
    assert.deepEqual(specOf(built)['preference'], { kind: 'VirtualMachineClusterPreference', name: 'windows' });
    assert.deepEqual(fields(domainOf(built)['devices'])['disks'], [
      { name: 'rootdisk', disk: {}, bootOrder: 1 },
      { name: 'cloudinitdisk', disk: {} },
    ]);
  });

  test('has the kinds of matchers that it was given', () => {
    const built = build({
      instancetype: { name: 'a', kind: 'VirtualMachineInstancetype' },
      preference: { name: 'b', kind: 'VirtualMachinePreference' },
    });
    assert.deepEqual(specOf(built)['instancetype'], { kind: 'VirtualMachineInstancetype', name: 'a' });
    assert.deepEqual(specOf(built)['preference'], { kind: 'VirtualMachinePreference', name: 'b' });
  });

  test('is on the networks that it was given, and on no other', () => {
    const built = build({ networks: [{ name: 'lan', kind: 'multus', networkName: 'vlan-7' }] });
    assert.deepEqual(instanceOf(built)['networks'], [{ name: 'lan', multus: { networkName: 'vlan-7' } }]);
    assert.deepEqual(fields(domainOf(built)['devices'])['interfaces'], [{ name: 'lan', bridge: {} }]);
  });
});

suite('the data for a guest', () => {
  const guests: readonly (readonly [string, Partial<VmSpec>, object | undefined, object | undefined, boolean])[] = [
    ['nothing', {}, undefined, undefined, false],
    ['no key', { sshKeys: [] }, undefined, undefined, false],
    ['user data', { cloudInit: { userData: 'a' } }, { userdata: 'a' }, undefined, false],
    [
      'network data alone',
      { cloudInit: { networkData: 'n' } },
      { userdata: '#cloud-config\n', networkdata: 'n' },
      undefined,
      true,
    ],
    [
      'both, beyond ASCII',
      { cloudInit: { userData: 'ä', networkData: 'ö' } },
      { userdata: 'ä', networkdata: 'ö' },
      undefined,
      true,
    ],
    ['keys', { sshKeys: ['k', 'l'] }, { userdata: '#cloud-config\n' }, { key1: 'k', key2: 'l' }, false],
    ['user data and keys', { cloudInit: { userData: 'a' }, sshKeys: ['k'] }, { userdata: 'a' }, { key1: 'k' }, false],
  ];
  for (const [reason, changes, cloudInit, ssh, network] of guests)
    test(`${reason}: comes from Secrets`, () => {
      const built = build(changes);
      const wanted = [cloudInit, ssh].filter((texts) => texts !== undefined);
      assert.deepEqual(built.secrets.map(decoded), wanted);
      for (const { metadata, kind } of built.secrets) {
        assert.equal(kind, 'Secret');
        assert.deepEqual(metadata.labels, built.machine.metadata.labels);
        assert.equal(metadata.namespace, identity.namespace);
      }
      const volume = list(instanceOf(built)['volumes'])[1];
      const name = 'web-01-9a1c44de-cloudinit';
      const noCloud = { secretRef: { name }, ...(network ? { networkDataSecretRef: { name } } : {}) };
      assert.deepEqual(
        volume,
        cloudInit === undefined ? undefined : { name: 'cloudinitdisk', cloudInitNoCloud: noCloud },
      );
      assert.deepEqual(
        instanceOf(built)['accessCredentials'],
        ssh === undefined
          ? undefined
          : [
              {
                sshPublicKey: {
                  source: { secret: { secretName: 'web-01-9a1c44de-ssh' } },
                  propagationMethod: { noCloud: {} },
                },
              },
            ],
      );
    });

  test('is nowhere in the machine', () => {
    const told = { cloudInit: { userData: 'password-1', networkData: 'password-2' }, sshKeys: ['ssh-rsa password-3'] };
    assert.doesNotMatch(JSON.stringify(build(told).machine), /password/);
  });
});

suite('of every kind of machine', () => {
  for (const [name, spec] of machineCases)
    test(`${name}: what is built reads as what was asked for`, () => {
      const built = buildMachine(identity, spec, size);
      const facts = vmFacts(built.machine);
      const sized = spec.instancetype === undefined;
      assert.deepEqual([facts.cpuCount, facts.memoryMb], sized ? [2, 2048] : [undefined, undefined]);
      assert.equal(facts.vappId, identity.vappId);
      const volumes = instanceOf(built)['volumes'];
      assert.deepEqual(
        disksOf(volumes, () => undefined).map((disk) => disk.name),
        ['rootdisk', ...spec.disks.map((disk) => disk.name)],
      );
      assert.deepEqual(namesOf(fields(domainOf(built)['devices'])['disks']), namesOf(volumes), 'each volume is a disk');
      assert.deepEqual(
        namesOf(fields(domainOf(built)['devices'])['interfaces']),
        namesOf(instanceOf(built)['networks']),
      );
    });
});
