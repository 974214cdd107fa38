/**
 * Compares the instance types and preferences that come with KubeVirt with recordings and with their own definitions.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Unstructured } from '@ssvirt/kube/object';
import type { Json } from '../../../values/json.ts';
import { decodeCustomResource, validateResource } from '../../../objects/crd/custom-resource.ts';
import { customResources } from '../../../objects/crd/resource.ts';
import type { CustomResourceDefinition } from '../../../objects/crd/types.ts';
import { instancetypeDefinitions } from '../../crds/instancetypes.ts';
import { commonInstancetypes } from './common-instancetypes.ts';
import { commonPreferences } from './common-preferences.ts';

const all = [...commonInstancetypes(), ...commonPreferences()];
const named = (name: string): Unstructured => {
  const found = all.find(({ metadata }) => metadata.name === name);
  assert.ok(found !== undefined, `there is ${name}`);
  return found;
};

const sizes: readonly (readonly [name: string, cpus: number, memory: string])[] = [
  ['u1.nano', 1, '512Mi'],
  ['u1.medium', 1, '4Gi'],
  ['u1.2xmedium', 2, '4Gi'],
  ['u1.large', 2, '8Gi'],
  ['o1.small', 1, '2Gi'],
  ['d1.xlarge', 4, '16Gi'],
  ['cx1.large', 2, '4Gi'],
  ['m1.2xlarge1gi', 8, '64Gi'],
  ['n1.medium', 4, '4Gi'],
  ['rt1.micro', 1, '1Gi'],
];

describe('instance types that come with KubeVirt', () => {
  for (const [name, cpus, memory] of sizes) {
    test(`${name} has ${cpus} CPUs and ${memory}`, () => {
      const { spec, metadata } = named(name) as unknown as {
        readonly spec: { readonly cpu: { readonly guest: number }; readonly memory: { readonly guest: string } };
        readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      };
      assert.equal(spec.cpu.guest, cpus);
      assert.equal(spec.memory.guest, memory);
      assert.equal(metadata.labels['instancetype.kubevirt.io/cpu'], String(cpus));
      assert.equal(metadata.labels['instancetype.kubevirt.io/memory'], memory);
    });
  }

  test('a plain one says nothing but its size', () => {
    assert.deepEqual(named('u1.medium')['spec'], { cpu: { guest: 1 }, memory: { guest: '4Gi' } });
  });
});

describe('preferences that come with KubeVirt', () => {
  test('fedora is the recorded one', () => {
    assert.deepEqual(named('fedora')['spec'], {
      devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredRng: {} },
      features: { preferredSmm: {} },
      firmware: { preferredEfi: { secureBoot: true } },
      requirements: { cpu: { guest: 1 }, memory: { guest: '2Gi' }, architecture: 'amd64' },
      annotations: { 'vm.kubevirt.io/os': 'linux' },
      preferredArchitecture: 'amd64',
    });
  });

  test('windows.11 needs two CPUs, 4Gi and a TPM that keeps what it stores', () => {
    const spec = named('windows.11')['spec'] as { readonly requirements: Json; readonly devices: Json };
    assert.deepEqual(spec.requirements, { cpu: { guest: 2 }, memory: { guest: '4Gi' } });
    assert.deepEqual(spec.devices, {
      preferredAutoattachInputDevice: true,
      preferredDiskBus: 'sata',
      preferredInterfaceModel: 'e1000e',
      preferredTPM: { persistent: true },
    });
  });

  test('there are those that people look for', () => {
    for (const name of ['rhel.8', 'rhel.9', 'rhel.10', 'ubuntu', 'debian', 'centos.stream9', 'centos.stream10'])
      named(name);
    for (const name of ['opensuse.leap', 'alpine', 'cirros', 'windows.2k22.virtio', 'windows.2k25']) named(name);
  });
});

test('every one is named once, and its definition keeps all of it', () => {
  assert.equal(new Set(all.map(({ kind, metadata }) => `${String(kind)} ${metadata.name}`)).size, all.length);
  const resources = instancetypeDefinitions.flatMap((definition) =>
    customResources(definition as unknown as CustomResourceDefinition, { type: 'object' }),
  );
  for (const object of all) {
    const resource = resources.find(({ kind }) => kind === object['kind']);
    assert.ok(resource !== undefined);
    const decoded = decodeCustomResource(resource, structuredClone(object) as never);
    assert.ok(decoded.error === undefined);
    assert.deepEqual(decoded.complaints, []);
    assert.deepEqual(decoded.object['spec'], object['spec']);
    assert.deepEqual(validateResource(resource, decoded.object), []);
  }
});
