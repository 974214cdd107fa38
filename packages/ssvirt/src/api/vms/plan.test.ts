/** The plan for a request for a VM, and what is refused before any write. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { suite, test } from 'node:test';
import type { CatalogSource, OfferedEntry } from '../catalogs/catalogs/source.ts';
import { ApiError } from '../errors.ts';
import type { NewMachineInput } from './new-vm.ts';
import { planMachine } from './plan.ts';

const gibibyte = 2 ** 30;

const fedora: OfferedEntry = {
  entry: {
    kind: 'DataSource',
    namespace: 'images',
    name: 'fedora',
    displayName: 'Fedora',
    description: '',
    vmCount: 1,
    storageBytes: 5 * gibibyte,
    parameters: [],
    tags: [],
    deprecated: false,
    ready: true,
    message: '',
    machines: [],
  },
  offers: [
    { cluster: 'local', available: true, message: '' },
    { cluster: 'slow', available: false, message: 'importing' },
  ],
};

const unsized: OfferedEntry = {
  ...fedora,
  entry: { ...fedora.entry, name: 'unsized', storageBytes: undefined } as unknown as OfferedEntry['entry'],
};

const source: CatalogSource = {
  imageNamespaces: () => [],
  entries: () => [fedora, unsized],
  unavailable: () => [{ cluster: 'away', message: 'connection refused' }],
  entryIn: (cluster, { name }) =>
    [fedora, unsized].find(({ entry, offers }) => entry.name === name && offers.some((one) => one.cluster === cluster))
      ?.entry,
  instancetypes: () => [{ name: 'u1.small', cpus: 1, memoryMb: 2048 }],
  instancetype: (cluster, name) =>
    cluster === 'local' && name === 'u1.small' ? { name, cpus: 1, memoryMb: 2048 } : undefined,
  preferences: () => [{ name: 'fedora' }],
  preference: (cluster, name) => cluster === 'local' && name === 'fedora',
  known: (cluster) => cluster !== 'away',
  storageClasses: (cluster) => {
    if (cluster === 'away') return undefined;
    return [{ name: 'fast' }, { name: 'standard', ...(cluster === 'no-default' ? {} : { isDefault: true }) }];
  },
};

const least: NewMachineInput = { name: 'web', image: 'containerdisks/fedora:42', cpus: 2, memoryMb: 1024 };
const { image: _image, ...bare } = least;
const { cpus: _cpus, memoryMb: _memoryMb, ...sizeless } = least;

/** An ed25519 key in the form of OpenSSH. */
function sshKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const part = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]).toString('base64')}`;
}

suite('a machine that can be made', () => {
  test('has the network of its data center, runs, and takes no storage with a container disk', () => {
    assert.deepEqual(planMachine({ source, cluster: 'local' }, least), {
      name: 'web',
      description: '',
      cpus: 2,
      memoryMb: 1024,
      powerOn: true,
      spec: {
        source: { kind: 'direct', boot: { kind: 'image', image: 'containerdisks/fedora:42' } },
        disks: [],
        networks: [{ name: 'default', kind: 'pod' }],
        storageMb: 0,
      },
    });
  });

  test('has the size of its instance type, and counts all of its disks', () => {
    const key = sshKey();
    const plan = planMachine(
      { source, cluster: 'local' },
      {
        name: 'db',
        description: 'of the shop',
        dataSource: { namespace: 'images', name: 'fedora' },
        instancetype: 'u1.small',
        preference: 'fedora',
        disks: [
          { name: 'data', sizeGb: 10, storageClass: 'fast' },
          { name: 'log', sizeMb: 512 },
        ],
        networks: [
          { name: 'default', kind: 'pod' },
          { name: 'storage', kind: 'multus', networkName: 'vlan-7' },
        ],
        cloudInit: { userData: '#cloud-config\n' },
        sshKeys: [` ${key} me@example.com\t`],
        powerOn: false,
      },
    );
    assert.deepEqual([plan.cpus, plan.memoryMb, plan.powerOn], [1, 2048, false]);
    assert.deepEqual(plan.spec, {
      source: { kind: 'direct', boot: { kind: 'dataSource', namespace: 'images', name: 'fedora' } },
      instancetype: { name: 'u1.small' },
      preference: { name: 'fedora' },
      rootDisk: { sizeMb: 5120 },
      disks: [
        { name: 'data', sizeMb: 10_240, storageClass: 'fast' },
        { name: 'log', sizeMb: 512 },
      ],
      networks: [
        { name: 'default', kind: 'pod' },
        { name: 'storage', kind: 'multus', networkName: 'vlan-7' },
      ],
      storageMb: 5120 + 10_240 + 512,
      cloudInit: { userData: '#cloud-config\n' },
      sshKeys: [`${key} me@example.com`],
    });
  });

  test('can have a larger disk than its image, one from a url, or an empty one', () => {
    const larger = { ...bare, dataSource: { namespace: 'images', name: 'fedora' }, diskSizeGb: 20 };
    assert.equal(planMachine({ source, cluster: 'local' }, larger).spec.storageMb, 20_480);
    const fetched = { ...bare, url: 'https://images.example/a.qcow2', diskSizeGb: 3 };
    assert.deepEqual(planMachine({ source, cluster: 'local' }, fetched).spec.rootDisk, { sizeMb: 3072 });
    const empty = planMachine({ source, cluster: 'local' }, { ...bare, blank: true, diskSizeGb: 1 });
    assert.deepEqual([empty.spec.source, empty.spec.storageMb], [{ kind: 'direct', boot: { kind: 'blank' } }, 1024]);
  });
});

suite('a machine that cannot be made is refused with the field and the rule', () => {
  const fedoraSource = { namespace: 'images', name: 'fedora' };
  const disk = { name: 'data', sizeGb: 1 };
  const cases: readonly (readonly [what: string, input: NewMachineInput, refusal: RegExp, cluster?: string])[] = [
    ['nothing to boot from', bare, /none is given; give exactly one/],
    ['two things to boot from', { ...least, blank: true }, /image and blank are given/],
    ['an image that is none', { ...least, image: 'docker://x' }, /^image: /],
    ['a size for a container disk', { ...least, diskSizeGb: 5 }, /^diskSizeGb: a container disk/],
    ['a url without a size', { ...bare, url: 'https://images.example/a' }, /^diskSizeGb is missing/],
    [
      'a url with credentials',
      { ...bare, url: 'https://me:word@images.example/', diskSizeGb: 1 },
      /^url: appears to contain/,
    ],
    ['a blank disk without a size', { ...bare, blank: true }, /^diskSizeGb is missing; an empty disk/],
    [
      'a boot image that is not offered',
      { ...bare, dataSource: { namespace: 'a', name: 'b' } },
      /^dataSource: .*not offered/,
    ],
    [
      'a boot image of another cluster',
      { ...bare, dataSource: fedoraSource },
      /not offered to this virtual data center/,
      'other',
    ],
    ['a boot image that is not ready', { ...bare, dataSource: fedoraSource }, /cannot be used at the moment/, 'slow'],
    [
      'less than the size of the boot image',
      { ...bare, dataSource: fedoraSource, diskSizeGb: 2 },
      /^diskSizeGb: 2 GB is less.*give 5/,
    ],
    [
      'a boot image that does not say how large it is',
      { ...bare, dataSource: { ...fedoraSource, name: 'unsized' } },
      /^diskSizeGb is missing/,
    ],
    ['CPUs without memory', { ...sizeless, cpus: 1 }, /give either instancetype, or both/],
    ['an instance type and CPUs', { ...least, instancetype: 'u1.small' }, /sets CPUs and memory/],
    [
      'an instance type that is not there',
      { ...sizeless, instancetype: 'huge' },
      /^instancetype: .* does not offer "huge".*u1\.small/,
    ],
    ['a preference that is not there', { ...least, preference: 'beos' }, /^preference: .* does not offer "beos"/],
    [
      'a disk with a name that is kept',
      { ...least, disks: [{ ...disk, name: 'rootdisk' }] },
      /^disks\.0\.name: .*reserved/,
    ],
    ['two disks of one name', { ...least, disks: [disk, disk] }, /^disks\.1\.name: .*already/],
    ['a disk with two sizes', { ...least, disks: [{ ...disk, sizeMb: 5 }] }, /^disks\.0\.sizeGb, disks\.0\.sizeMb/],
    ['a disk without a size', { ...least, disks: [{ name: 'data' }] }, /exactly one/],
    [
      'a disk of a storage class that is not there',
      { ...least, disks: [disk, { name: 'log', sizeGb: 1, storageClass: 'gold' }] },
      /^disks\.1\.storageClass: "gold" is not a storage class of the virtual data center \(it has "fast", "standard" \(the default\)\); name one of these, or leave it out for the default\.$/,
    ],
    [
      'a disk of the default class where there is none',
      { ...least, disks: [{ ...disk, storageClass: 'default' }] },
      /^disks\.0\.storageClass: is missing, and the virtual data center has no default storage class \(it has "fast", "standard"\); name one, or ask the provider/,
      'no-default',
    ],
    [
      'two networks of one name',
      {
        ...least,
        networks: [
          { name: 'a', kind: 'pod' },
          { name: 'a', kind: 'multus', networkName: 'x' },
        ],
      },
      /^networks\.1\.name: "a" is given twice/,
    ],
    [
      'two networks of the pod',
      {
        ...least,
        networks: [
          { name: 'a', kind: 'pod' },
          { name: 'b', kind: 'pod' },
        ],
      },
      /^networks\.1\.kind/,
    ],
    [
      'a network that is not named',
      { ...least, networks: [{ name: 'a', kind: 'multus' }] },
      /^networks\.0\.networkName is missing/,
    ],
    [
      'a name for the network of the pod',
      { ...least, networks: [{ name: 'a', kind: 'pod', networkName: 'x' }] },
      /leave it out/,
    ],
    [
      'more cloud-init than 64 KiB',
      { ...least, cloudInit: { userData: 'ü'.repeat(40_000) } },
      /^cloudInit\.userData: is 80000 bytes/,
    ],
    ['a key without a type', { ...least, sshKeys: ['AAAAC3Nz'] }, /^sshKeys\.0: does not begin/],
    [
      'a key of another type than it says',
      { ...least, sshKeys: [sshKey().replace('ssh-ed25519', 'ssh-rsa')] },
      /is not a key of that type/,
    ],
    ['a key that was cut', { ...least, sshKeys: [sshKey().slice(0, 36)] }, /is not a key of that type/],
    ['two keys in one entry', { ...least, sshKeys: [`${sshKey()}\n${sshKey()}`] }, /more than one line/],
    ['a private key', { ...least, sshKeys: ['-----BEGIN OPENSSH PRIVATE KEY-----'] }, /private key/],
  ];
  for (const [what, input, refusal, cluster = 'local'] of cases)
    test(what, () => {
      assert.throws(
        () => planMachine({ source, cluster }, input),
        (error: unknown) => {
          assert.ok(error instanceof ApiError);
          assert.equal(error.code, 'BAD_REQUEST', error.message);
          assert.match(error.message, refusal);
          assert.doesNotMatch(error.message, /word|slow|away/);
          return true;
        },
      );
    });

  test('a disk to boot from, where the cluster has no default storage class', () => {
    assert.throws(
      () => planMachine({ source, cluster: 'no-default' }, { ...bare, blank: true, diskSizeGb: 1 }),
      (error: unknown) =>
        error instanceof ApiError &&
        error.status === 409 &&
        /^The boot disk of the VM needs the default storage class, and .* has none/.test(error.message),
    );
    assert.doesNotThrow(() => planMachine({ source, cluster: 'no-default' }, least), 'a container disk needs none');
  });

  test('where the storage classes are not known, any name is accepted, and "default" is the default', () => {
    const disks = [
      { ...disk, storageClass: 'gold' },
      { name: 'log', sizeGb: 1, storageClass: 'default' },
    ];
    const { spec } = planMachine({ source, cluster: 'away' }, { ...least, disks });
    assert.deepEqual(
      spec.disks.map(({ storageClass }) => storageClass),
      ['gold', undefined],
    );
  });

  test('where it is not known what the cluster has, nothing is said against it: try again', () => {
    const unknown: readonly NewMachineInput[] = [
      { ...sizeless, instancetype: 'u1.small' },
      { ...least, preference: 'fedora' },
      { ...bare, dataSource: fedoraSource },
    ];
    for (const input of unknown)
      assert.throws(
        () => planMachine({ source, cluster: 'away' }, input),
        (error: unknown) => error instanceof ApiError && error.status === 503 && error.retryAfter !== undefined,
      );
  });
});
