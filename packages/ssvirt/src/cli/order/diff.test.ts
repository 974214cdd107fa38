/**
 * The controller's desired objects compared with AAP's objects, and with changes that servers and people make to them.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as aap from '../../../../../test/cloudkit/aap/objects.ts';
import type { Unstructured } from '@ssvirt/kube/object';
import { fields } from '../../kubevirt/facts/reading.ts';
import type { KubeLike } from '../../kubevirt/tenant-vm/kube-like.ts';
import { buildOrder } from '../../kubevirt/order/build.ts';
import { readParameters } from '../../kubevirt/order/parameters/parameters.ts';
import { asLive, childDiff, isDifferent, type ChildDiff } from './child-diff.ts';
import { differences, onlyThere } from './compare.ts';
import { diffText } from './diff.ts';
import { identityOf, type ShownOrder } from './shown-order.ts';

const secret = 'I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW25naW54XQo=';
const parameters = {
  cpu_cores: '4',
  memory: '8Gi',
  disk_size: '20Gi',
  image_source: 'quay.io/containerdisks/fedora:41',
  cloud_init_config: secret,
  ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me@example.com',
  exposed_ports: '443/tcp,22/tcp',
};
const order: ShownOrder = {
  metadata: { name: 'web', namespace: 'orders', uid: 'u1' },
  spec: {
    templateID: 'osac.templates.ocp_virt_vm',
    tenantNamespace: 'tenant-a',
    templateParameters: JSON.stringify(parameters),
  },
};
const live = { identity: identityOf(order), isAaps: true };

/** The objects that AAP creates, for the given generation of its role. */
function made(label: string): readonly Unstructured[] {
  const place = { name: 'web', namespace: 'tenant-a', label: { [label]: 'web' } };
  const role = aap.roleParameters({ metadata: { name: 'web', namespace: 'orders', uid: 'u1' }, spec: order.spec });
  const vm = aap.virtualMachine(place, role);
  return [
    aap.cloudInitSecret(place, role),
    aap.sshKeySecret(place, role),
    aap.dataVolume(place, role, 'fast'),
    {
      ...vm,
      metadata: {
        ...vm.metadata,
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(vm) },
      },
    },
    aap.loadBalancer(place, role),
  ];
}

const label = 'cloudkit.openshift.io/computeinstance';
const read = readParameters(order.spec.templateParameters);
assert.ok('parameters' in read);
const desired = buildOrder(live.identity, read.parameters, {
  storageClass: 'fast',
  binding: 'masquerade',
  instanceLabels: { [label]: 'web' },
});

function compared(
  change: (kind: string, object: Unstructured) => Unstructured | undefined,
  claim?: Unstructured,
): readonly ChildDiff[] {
  const theirs = made(label);
  return desired.map((one, at) => {
    const object = theirs[at];
    return childDiff(one, object === undefined ? undefined : change(one.kind, object), { ...live, claim });
  });
}

/** Sets one field of one kind to another value; undefined removes it. */
function withField(kind: string, path: string, value: unknown): (found: string, object: Unstructured) => Unstructured {
  const set = (at: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    if (Array.isArray(at))
      return at.map((entry: unknown, index) =>
        String(index) === name ? (rest.length === 0 ? value : set(entry, rest)) : entry,
      );
    return { ...fields(at), [name]: rest.length === 0 ? value : set(fields(at)[name], rest) };
  };
  return (found, object) => (found === kind ? (set(object, path.split('/')) as Unstructured) : object);
}

for (const generation of [label, 'cloudkit.openshift.io/virtualmachine'])
  test(`nothing of what AAP makes differs, but whose it is (${generation})`, () => {
    const built = buildOrder(live.identity, read.parameters, {
      storageClass: 'fast',
      binding: 'masquerade',
      instanceLabels: { [generation]: 'web' },
    });
    const diffs = made(generation).map((object, at) => childDiff(built[at] ?? assert.fail(), object, live));
    assert.deepEqual(
      diffs.map(({ state }) => state),
      ['same', 'same', 'same', 'same', 'same'],
      JSON.stringify(diffs, null, 1),
    );
    for (const { documented } of diffs)
      for (const { path } of documented) assert.match(path, /^(spec\.template\.)?metadata\.(labels|annotations)/);
  });

const unchanged = (_: string, object: Unstructured): Unstructured => object;

suite('what servers fill in, and others add, is no difference:', () => {
  const cases: Readonly<Record<string, (kind: string, object: Unstructured) => Unstructured>> = {
    'the same memory in other words': withField('VirtualMachine', 'spec/template/spec/domain/memory/guest', '8192Mi'),
    'the same disk in other words': withField('DataVolume', 'spec/pvc/resources/requests/storage', '20480Mi'),
    'a machine type': withField('VirtualMachine', 'spec/template/spec/domain/machine', { type: 'q35' }),
    'a feature that is spelled out': withField('VirtualMachine', 'spec/template/spec/domain/features/acpi', {
      enabled: true,
    }),
    'a port of a node': withField('Service', 'spec/ports/0/nodePort', 30022),
    'a cluster IP': withField('Service', 'spec/clusterIP', '10.0.0.1'),
    'a port as text': withField('Service', 'spec/ports/0/targetPort', '443'),
    'a status': withField('DataVolume', 'status', { phase: 'Succeeded' }),
  };
  for (const [name, change] of Object.entries(cases))
    test(name, () => assert.deepEqual(compared(change).filter(isDifferent), []));

  test('ports in another order, and a volume that was hotplugged', () => {
    const diffs = compared((kind, object) => {
      const spec = fields(object['spec']);
      if (kind === 'Service')
        return { ...object, spec: { ...spec, ports: [...(spec['ports'] as unknown[])].reverse() } };
      if (kind !== 'VirtualMachine') return object;
      const template = fields(spec['template']);
      const inner = fields(template['spec']);
      const volumes = [
        { name: 'more', persistentVolumeClaim: { claimName: 'more' } },
        ...(inner['volumes'] as unknown[]),
      ];
      return { ...object, spec: { ...spec, template: { ...template, spec: { ...inner, volumes } } } };
    });
    assert.deepEqual(diffs.filter(isDifferent), []);
  });

  test('a disk that has grown since', () => {
    const claim = { metadata: {}, spec: { resources: { requests: { storage: '20Gi' } } } };
    const small = withField('DataVolume', 'spec/pvc/resources/requests/storage', '10Gi');
    assert.equal(compared(small).filter(isDifferent).length, 1);
    assert.deepEqual(compared(small, claim).filter(isDifferent), []);
  });

  test('a DataVolume that CDI has cleared away, while its claim is there', () => {
    const claim = {
      metadata: {
        annotations: { 'cdi.kubevirt.io/storage.import.endpoint': 'docker://quay.io/containerdisks/fedora:41' },
        labels: { [label]: 'web' },
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } }, storageClassName: 'fast' },
    };
    const diffs = compared((kind, object) => (kind === 'DataVolume' ? undefined : object), claim);
    assert.deepEqual(diffs.filter(isDifferent), []);
    assert.match(diffText(diffs, false), /CDI has deleted the DataVolume/);
  });
});

test('whether a machine is switched on, and the class of a disk, are carried along', () => {
  const named = (kind: string): KubeLike => desired.find((one) => one.kind === kind) ?? assert.fail();
  const off = { metadata: {}, spec: { runStrategy: 'Halted' } };
  assert.deepEqual(
    [undefined, off].map((found) => fields(asLive(named('VirtualMachine'), found, undefined)['spec'])['runStrategy']),
    [undefined, 'Halted'],
  );
  const claim = { metadata: {}, spec: { storageClassName: 'old' } };
  const { pvc } = fields(asLive(named('DataVolume'), undefined, claim)['spec']);
  assert.equal(fields(pvc)['storageClassName'], 'old');
  assert.equal(asLive(named('Service'), off, claim), named('Service'));
});

suite('a difference is shown with its path:', () => {
  const cases: readonly (readonly [string, string, unknown, string])[] = [
    ['VirtualMachine', 'spec/template/spec/domain/cpu/cores', 2, 'spec.template.spec.domain.cpu.cores'],
    ['VirtualMachine', 'spec/template/spec/domain/memory/guest', '4Gi', 'spec.template.spec.domain.memory.guest'],
    ['VirtualMachine', 'spec/template/spec/domain/devices/rng', undefined, 'spec.template.spec.domain.devices.rng'],
    [
      'VirtualMachine',
      'spec/template/spec/domain/devices/disks/0/disk/bus',
      'sata',
      'spec.template.spec.domain.devices.disks[root-disk].disk.bus',
    ],
    ['VirtualMachine', 'spec/template/spec/volumes/1', { name: 'else' }, 'spec.template.spec.volumes[cloud-init-disk]'],
    ['DataVolume', 'spec/source/registry/url', 'docker://other', 'spec.source.registry.url'],
    ['DataVolume', 'spec/pvc/accessModes', ['ReadWriteMany'], 'spec.pvc.accessModes[0]'],
    ['Service', 'spec/type', 'ClusterIP', 'spec.type'],
    ['Service', 'spec/ports/1/protocol', 'UDP', 'spec.ports[tcp-22].protocol'],
    ['Service', 'spec/ports/1', { name: 'tcp-80', port: 80 }, 'spec.ports[tcp-22]'],
  ];
  for (const [kind, path, value, expected] of cases)
    test(`${kind} ${path} as ${JSON.stringify(value)}`, () => {
      const found = compared(withField(kind, path, value)).filter(isDifferent);
      assert.deepEqual(
        [found.length, found[0]?.kind, found[0]?.differences[0]?.path],
        [1, kind, expected],
        JSON.stringify(found),
      );
    });

  test('a field that AAP says it has applied, and the controller would not', () => {
    const [, , , vm = { metadata: {} }] = made(label);
    const applied = {
      ...vm,
      spec: { running: true, template: { spec: { hostname: 'x', volumes: [{ name: 'aap-only' }] } } },
    };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) };
    const diffs = compared((kind, object) =>
      kind === 'VirtualMachine' ? { ...object, metadata: { ...object.metadata, annotations } } : object,
    );
    assert.deepEqual(
      diffs.filter(isDifferent).flatMap(({ differences: all }) => all.map(({ path }) => path)),
      ['spec.template.spec.hostname', 'spec.template.spec.volumes[aap-only]'],
    );
  });

  test('a Secret by how long it is, and never by what it says', () => {
    const diffs = compared(withField('Secret', 'data', { userData: Buffer.from('hunter2').toString('base64') }));
    assert.deepEqual(diffs[0]?.differences, [
      { path: 'data.userData', ours: '32 bytes, not shown', theirs: '7 bytes, not shown' },
    ]);
    assert.doesNotMatch(JSON.stringify(diffs), /hunter2|aHVudGVy|nginx|I2Nsb3Vk/);
  });

  test('an object that is missing; a Service of AAP alone may be', () => {
    const gone = compared((kind, object) => (kind === 'Service' || kind === 'VirtualMachine' ? undefined : object));
    assert.deepEqual(
      gone.map(({ state }) => state),
      ['same', 'same', 'same', 'missing', 'missing'],
    );
    assert.deepEqual(
      gone.filter(isDifferent).map(({ kind }) => kind),
      ['VirtualMachine'],
    );
    const own = childDiff(desired[4] ?? assert.fail(), undefined, { ...live, isAaps: false });
    assert.equal(isDifferent(own), true);
  });

  test('marks that are missing on what is the controller’s own', () => {
    const [one = assert.fail()] = desired;
    const metadata = { ...one.metadata, labels: { 'ssvirt.io/parent-uid': 'u1' } };
    const found = childDiff(one, { ...one, metadata }, { ...live, isAaps: false });
    assert.deepEqual(
      found.differences.map(({ path }) => path),
      ['metadata.labels."cloudkit.openshift.io/virtualmachine"', 'metadata.labels."ssvirt.io/parent-kind"'],
    );
  });
});

test('a value is compared with itself without end, whatever it is', () => {
  for (const value of [null, [], {}, [1, [2]], { a: null, b: [{ c: 1 }] }, 'x']) {
    assert.deepEqual(differences(value, structuredClone(value)), []);
    assert.deepEqual(onlyThere(value, structuredClone(value)), []);
  }
  assert.deepEqual(compared(unchanged).filter(isDifferent), []);
});
