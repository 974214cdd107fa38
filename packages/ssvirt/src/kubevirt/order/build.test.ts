/** The objects of an order, compared with those that AAP's role creates. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as role from '../../../../../test/cloudkit/aap/objects.ts';
import { fields } from '../facts/reading.ts';
import type { KubeLike } from '../tenant-vm/kube-like.ts';
import { buildOrder, portsToKeep, serviceSelector } from './build.ts';
import { mayTake, type OrderIdentity } from './identity.ts';
import { readParameters, type OrderParameters } from './parameters/parameters.ts';
import { labels } from './resource.ts';

const uid = 'u-1';
const identity: OrderIdentity = {
  name: 'web',
  namespace: 'orders',
  tenantNamespace: 'tenant',
  uid,
  marks: { labels: { 'ssvirt.io/parent-uid': uid }, annotations: { 'ssvirt.io/parent': 'orders/web' } },
};
const owner = { apiVersion: 'v1', kind: 'X', name: 'web', uid, controller: true } as const;
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHm1Fyo1 me';
const given = {
  cpu_cores: '4',
  memory: '8Gi',
  disk_size: '20Gi',
  image_source: 'quay.io/a/b:1',
  cloud_init_config: Buffer.from('#cloud-config\n').toString('base64'),
  exposed_ports: '22/tcp,53/udp',
};

function parametersOf(all: object): OrderParameters {
  const read = readParameters(JSON.stringify(all));
  assert.ok('parameters' in read);
  return read.parameters;
}

function built(
  all: object = given,
  of: OrderIdentity = identity,
  more: Partial<Parameters<typeof buildOrder>[2]> = {},
): readonly KubeLike[] {
  return buildOrder(of, parametersOf(all), { storageClass: 'fast', binding: 'masquerade', ...more });
}

function one(objects: readonly KubeLike[], kind: string, name: string): Readonly<Record<string, unknown>> {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  assert.ok(found !== undefined, `${kind} ${name}`);
  return { ...found };
}

/** Asserts that `whole` contains everything of `part`; lists must be equal. */
function assertWithin(part: unknown, whole: unknown, at: string): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return assert.deepEqual(whole, part, at);
  for (const [name, value] of Object.entries(part)) assertWithin(value, fields(whole)[name], `${at}.${name}`);
}

suite('what an order is made of', () => {
  const place: role.Place = { name: 'web', namespace: 'tenant', label: { [labels.order]: 'web' } };
  const parameters = {
    cpuCores: 4,
    memory: '8Gi',
    diskSize: '20Gi',
    imageSource: 'quay.io/a/b:1',
    cloudInit: given.cloud_init_config,
    sshPublicKey: key,
    exposedPorts: '22/tcp,53/udp',
  };

  test("has everything that the role's objects have, field by field", () => {
    const ours = built({ ...given, ssh_public_key: key });
    const theirs = [
      role.cloudInitSecret(place, parameters),
      role.sshKeySecret(place, parameters),
      role.dataVolume(place, parameters, 'fast'),
      role.virtualMachine(place, parameters),
    ];
    for (const object of theirs)
      assertWithin(object, one(ours, object.kind ?? '', object.metadata.name ?? ''), object.metadata.name ?? '');
    assert.deepEqual(
      ours.map(({ kind }) => kind),
      ['Secret', 'Secret', 'DataVolume', 'VirtualMachine', 'Service'],
    );
  });

  test('has a disk whose spec is the role’s to the letter, since CDI refuses changes of it', () => {
    const { spec } = one(built(), 'DataVolume', 'web-root-disk');
    assert.deepEqual(spec, role.dataVolume(place, parameters, 'fast')['spec']);
  });

  test('has a Service with the ports of the order, by the names that the role gives them', () => {
    const { spec } = one(built(), 'Service', 'web-load-balancer');
    const theirs = fields(role.loadBalancer(place, parameters)['spec']);
    assert.deepEqual(fields(spec)['ports'], theirs['ports']);
    assert.deepEqual([fields(spec)['type'], fields(spec)['selector']], ['LoadBalancer', { [labels.vm]: 'web' }]);
  });

  test('has no Secret for a key that is not given, and the machine names none', () => {
    const ours = built();
    assert.equal(ours.length, 4);
    assert.doesNotMatch(JSON.stringify(ours), /accessCredentials|ssh-public-key/);
  });

  test('bears the name and the marks of its order everywhere, and on the pods of its machine', () => {
    const marked = { [labels.order]: 'web', 'ssvirt.io/parent-uid': uid };
    for (const { metadata } of built()) {
      assert.deepEqual(fields(metadata)['labels'], marked);
      assert.equal(fields(metadata)['namespace'], 'tenant');
    }
    const { template } = fields(one(built(), 'VirtualMachine', 'web')['spec']);
    assert.deepEqual(fields(fields(template)['metadata'])['labels'], { ...marked, [labels.vm]: 'web' });
  });

  test('has its order for an owner only in the namespace of the order', () => {
    const away = built(given, { ...identity, owner });
    assert.doesNotMatch(JSON.stringify(away), /ownerReferences/);
    const home = built(given, { ...identity, owner, tenantNamespace: 'orders' });
    for (const { metadata } of home) assert.deepEqual(fields(metadata)['ownerReferences'], [owner]);
  });
});

suite('the machine of an order', () => {
  const specOf = (
    more: Partial<Parameters<typeof buildOrder>[2]>,
    all: object = given,
  ): Readonly<Record<string, unknown>> => fields(one(built(all, identity, more), 'VirtualMachine', 'web')['spec']);
  const powerOf = (live: object): readonly unknown[] => {
    const { running, runStrategy } = specOf({ live });
    return [running, runStrategy];
  };

  test('runs, and stays stopped where a user has stopped it, in the words that were used', () => {
    assert.deepEqual(powerOf({}), [true, undefined]);
    assert.deepEqual(powerOf({ running: false }), [false, undefined]);
    assert.deepEqual(powerOf({ runStrategy: 'Halted' }), [undefined, 'Halted']);
  });

  test('loses the credential of a key that is taken out, and keeps those of others', () => {
    const ofOrder = { sshPublicKey: { source: { secret: { secretName: 'web-ssh-public-key' } } } };
    const foreign = { sshPublicKey: { source: { secret: { secretName: 'ours' } } } };
    const credentials = (live: object, all: object = given): unknown =>
      fields(fields(specOf({ live }, all)['template'])['spec'])['accessCredentials'];
    assert.deepEqual(credentials({ accessCredentials: [ofOrder] }), []);
    assert.deepEqual(credentials({ accessCredentials: [foreign, ofOrder] }), [foreign]);
    assert.deepEqual(
      (credentials({ accessCredentials: [foreign] }, { ...given, ssh_public_key: key }) as []).length,
      2,
    );
  });

  test('is bound to the network as ordered', () => {
    assert.match(
      JSON.stringify(specOf({ binding: 'l2bridge' })),
      /"interfaces":\[{"name":"default","binding":{"name":"l2bridge"}}\]/,
    );
  });
});

suite('the Service of an order', () => {
  test('selects by a label that the pod of the running machine bears', () => {
    assert.deepEqual(serviceSelector(identity, undefined), { [labels.vm]: 'web' });
    assert.deepEqual(serviceSelector(identity, { [labels.instance]: 'web' }), { [labels.instance]: 'web' });
    assert.deepEqual(serviceSelector(identity, { [labels.order]: 'web' }), { [labels.order]: 'web' });
    assert.deepEqual(serviceSelector(identity, { [labels.order]: 'web', [labels.vm]: 'web' }), { [labels.vm]: 'web' });
    assert.deepEqual(serviceSelector(identity, { [labels.order]: 'other' }), { [labels.vm]: 'web' });
  });

  test('keeps the ports that are ordered, as they stand, and closes others', () => {
    const service = (...ports: readonly object[]): object => ({ spec: { ports } });
    const [ssh, web, dns] = [
      { port: 22, nodePort: 30022 },
      { port: 80, protocol: 'TCP' },
      { port: 53, protocol: 'UDP' },
    ];
    assert.deepEqual(portsToKeep(service(ssh, web), service({ port: 22, protocol: 'TCP' })), [ssh]);
    assert.deepEqual(portsToKeep(service(ssh, dns), service(ssh, { port: 53, protocol: 'TCP' })), [ssh]);
    assert.equal(portsToKeep(service(ssh, dns), service(dns, ssh)), undefined);
    assert.equal(portsToKeep(service(ssh), {}), undefined, 'whose ports nobody has said');
  });
});

suite('an object under the name of one of the order', () => {
  const object = (found: object): object => ({ metadata: { labels: found } });
  const cases: readonly (readonly [
    expected: boolean,
    reason: string,
    found: object,
    by: 'aap' | 'controller' | undefined,
  ])[] = [
    [true, 'it bears the uid of the order', { 'ssvirt.io/parent-uid': uid }, undefined],
    [false, 'it bears the name alone', { [labels.order]: 'web' }, 'controller'],
    [true, 'AAP has made it for the order', { [labels.order]: 'web' }, 'aap'],
    [true, 'a newer role has made it for the order', { [labels.instance]: 'web' }, 'aap'],
    [false, 'it is of an order of another name', { [labels.order]: 'shop' }, 'aap'],
    [
      false,
      'it is of an order of that name that was before',
      { [labels.order]: 'web', 'ssvirt.io/parent-uid': 'u-0' },
      'aap',
    ],
    [false, 'its owner is unknown', {}, 'aap'],
  ];
  for (const [expected, reason, found, by] of cases)
    test(`is ${expected ? 'taken' : 'left alone'}: ${reason}`, () => {
      assert.equal(mayTake(identity, by, object(found)), expected);
    });
});
