import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../values/json.ts';
import type { VmiSpec } from '../objects.ts';
import { expand } from './expand.ts';
import { topologyOf } from './topology.ts';

const template = (domain: JsonObject = {}): { spec: VmiSpec } => ({
  spec: {
    domain: {
      devices: {
        disks: [{ name: 'rootdisk' }],
        interfaces: [{ name: 'default', masquerade: {} }],
      },
      ...domain,
    },
    networks: [{ name: 'default', pod: {} }],
  },
});

const medium: JsonObject = { cpu: { guest: 1 }, memory: { guest: '4Gi' } };
const fedora: JsonObject = {
  annotations: { 'vm.kubevirt.io/os': 'linux' },
  devices: { preferredDiskBus: 'virtio', preferredInterfaceModel: 'virtio', preferredRng: {} },
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true } },
};

describe('expansion of a VM with an instance type and a preference', () => {
  test('fills size, devices, features and firmware', () => {
    const { spec, annotations, conflicts } = expand(template(), medium, fedora);
    assert.deepEqual(conflicts, []);
    assert.deepEqual(annotations, { 'vm.kubevirt.io/os': 'linux' });
    assert.deepEqual(spec.domain, {
      cpu: { sockets: 1, cores: 1, threads: 1 },
      memory: { guest: '4Gi' },
      devices: {
        disks: [{ name: 'rootdisk', disk: { bus: 'virtio' } }],
        interfaces: [{ name: 'default', masquerade: {}, model: 'virtio' }],
        rng: {},
      },
      features: { smm: {} },
      firmware: { bootloader: { efi: { secureBoot: true } } },
    });
  });

  test('leaves the template as it was', () => {
    const given = template();
    const before = structuredClone(given);
    expand(given, medium, fedora);
    assert.deepEqual(given, before);
  });

  const conflicts: [string, JsonObject, string][] = [
    ['cores', { cpu: { cores: 2 } }, 'spec.template.spec.domain.cpu.cores'],
    ['guest memory', { memory: { guest: '1Gi' } }, 'spec.template.spec.domain.memory.guest'],
    ['a cpu request', { resources: { requests: { cpu: '1' } } }, 'spec.template.spec.domain.resources.requests.cpu'],
  ];
  for (const [what, domain, path] of conflicts) {
    test(`refuses ${what} beside an instance type`, () => {
      assert.deepEqual(expand(template(domain), medium, undefined).conflicts, [path]);
    });
  }

  test('overcommits memory by lowering the request', () => {
    const { spec } = expand(template(), { ...medium, memory: { guest: '4Gi', overcommitPercent: 50 } }, undefined);
    assert.deepEqual(spec.domain['resources'], { requests: { memory: String(2 * 1024 ** 3) } });
  });

  test('overwrites nothing that the VM says', () => {
    const own = template({ firmware: { bootloader: { bios: {} } }, features: { smm: { enabled: false } } });
    const { spec } = expand(own, undefined, fedora);
    assert.deepEqual(spec.domain['firmware'], { bootloader: { bios: {} } });
    assert.deepEqual(spec.domain['features'], { smm: { enabled: false } });
  });
});

describe('topology', () => {
  const cases: [string, number, JsonObject | undefined, number[]][] = [
    ['sockets by default', 4, undefined, [4, 1, 1]],
    ['cores', 4, { cpu: { preferredCPUTopology: 'cores' } }, [1, 4, 1]],
    ['threads, by its old name', 4, { cpu: { preferredCPUTopology: 'preferThreads' } }, [1, 1, 4]],
    ['spread over sockets and cores', 4, { cpu: { preferredCPUTopology: 'spread' } }, [2, 2, 1]],
    [
      'spread over cores and threads',
      8,
      { cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads' } } },
      [1, 4, 2],
    ],
    ['one vCPU is one of each', 1, { cpu: { preferredCPUTopology: 'spread' } }, [1, 1, 1]],
  ];
  for (const [name, vcpus, preference, [sockets, cores, threads]] of cases) {
    test(name, () => assert.deepEqual(topologyOf(vcpus, preference), { sockets, cores, threads }));
  }
});
