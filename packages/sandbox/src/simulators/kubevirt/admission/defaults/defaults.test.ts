/** The defaults of a VMI's spec, compared with recorded VMIs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../../values/json.ts';
import { clusterConfig, defaultConfig, type ClusterConfig } from '../cluster-config.ts';
import { domainOf, devicesOf } from '../rules/amounts.ts';
import { setHotplug } from './hotplug.ts';
import { setSpecDefaults } from './vmi-spec.ts';

function filled(spec: JsonObject, config: ClusterConfig = defaultConfig): JsonObject {
  setSpecDefaults(spec, config);
  setHotplug(spec, config);
  return spec;
}

test('memory alone makes a whole VMI', () => {
  assert.deepEqual(filled({ domain: { devices: {}, memory: { guest: '256Mi' } } }), {
    architecture: 'amd64',
    domain: {
      cpu: { cores: 1, maxSockets: 4, model: 'host-model', sockets: 1, threads: 1 },
      devices: { interfaces: [{ name: 'default', bridge: {} }] },
      features: { acpi: { enabled: true } },
      machine: { type: 'q35' },
      memory: { guest: '256Mi' },
      resources: {},
    },
    evictionStrategy: 'None',
    networks: [{ name: 'default', pod: {} }],
  });
});

test('arm64 boots by EFI without a key, and takes no CPUs in', () => {
  const domain = domainOf(filled({ architecture: 'arm64', domain: { memory: { guest: '256Mi' } } }));
  assert.deepEqual(domain['cpu'], { cores: 1, model: 'host-passthrough', sockets: 1, threads: 1 });
  assert.deepEqual(domain['firmware'], { bootloader: { efi: { secureBoot: false } } });
  assert.deepEqual(domain['machine'], { type: 'virt' });
});

describe('memory', () => {
  const rows: readonly (readonly [string, JsonObject, JsonObject | undefined])[] = [
    ['of a gibibyte and more can grow by four', { memory: { guest: '4Gi' } }, { guest: '4Gi', maxGuest: '16Gi' }],
    ['of less cannot', { memory: { guest: '512Mi' } }, { guest: '512Mi' }],
    [
      'with dedicated CPUs cannot',
      { memory: { guest: '4Gi' }, cpu: { cores: 1, dedicatedCpuPlacement: true } },
      { guest: '4Gi' },
    ],
    ['comes from the request', { resources: { requests: { memory: '512Mi' } } }, { guest: '512Mi' }],
    ['comes from the limit', { resources: { limits: { memory: '512Mi' } } }, { guest: '512Mi' }],
    ['comes from nowhere', {}, undefined],
  ];
  for (const [name, domain, memory] of rows) {
    test(name, () => assert.deepEqual(domainOf(filled({ domain }))['memory'], memory));
  }
});

test('limits are requested', () => {
  const domain = domainOf(filled({ domain: { resources: { limits: { cpu: '2', memory: '1Gi' } } } }));
  assert.deepEqual(domain['resources'], { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } });
  assert.deepEqual(domain['cpu'], { cores: 1, maxSockets: 8, model: 'host-model', sockets: 2, threads: 1 });
});

test('volumes without a disk get one, on the bus of the architecture', () => {
  const volumes = [
    { name: 'extra', emptyDisk: { capacity: '1Gi' } },
    { name: 'dvd', containerDisk: { image: 'x:1' } },
  ];
  const spec = filled({ domain: { devices: { disks: [{ name: 'dvd', cdrom: {} }] } }, volumes });
  assert.deepEqual(devicesOf(spec)['disks'], [
    { name: 'dvd', cdrom: { bus: 'sata', readonly: true, tray: 'closed' } },
    { name: 'extra', disk: { bus: 'sata' } },
  ]);
});

describe('images are pulled', () => {
  const rows = [
    ['demo', 'Always'],
    ['demo:latest', 'Always'],
    ['demo:1.0', 'IfNotPresent'],
    ['demo@sha256:0', 'IfNotPresent'],
  ] as const;
  for (const [image, policy] of rows) {
    test(`${policy}: ${image}`, () => {
      const spec = filled({ domain: {}, volumes: [{ name: 'a', containerDisk: { image } }] });
      assert.deepEqual(spec['volumes'], [{ name: 'a', containerDisk: { image, imagePullPolicy: policy } }]);
    });
  }
});

test('features that are named are on, and switch on what they need', () => {
  const features = { hyperv: { synictimer: { direct: {} }, spinlocks: {}, evmcs: {} }, smm: {} };
  const domain = domainOf(filled({ domain: { features } }));
  const on = { enabled: true };
  assert.deepEqual(domain['features'], {
    acpi: on,
    smm: on,
    hyperv: {
      synictimer: { ...on, direct: on },
      spinlocks: { ...on, spinlocks: 4096 },
      evmcs: on,
      vapic: on,
      synic: on,
      vpindex: on,
    },
  });
  assert.deepEqual((domain['cpu'] as JsonObject)['features'], [{ name: 'vmx', policy: 'require' }]);
});

test('probes get the numbers of pods', () => {
  const { readinessProbe } = filled({ domain: {}, readinessProbe: { tcpSocket: { port: 22 }, periodSeconds: 5 } });
  assert.deepEqual(readinessProbe, {
    tcpSocket: { port: 22 },
    failureThreshold: 3,
    periodSeconds: 5,
    successThreshold: 1,
    timeoutSeconds: 1,
  });
});

test('the KubeVirt object has its say', () => {
  const config = clusterConfig({
    evictionStrategy: 'LiveMigrate',
    cpuModel: 'Haswell',
    network: { defaultNetworkInterface: 'masquerade' },
    vmRolloutStrategy: 'Stage',
    architectureConfiguration: { amd64: { machineType: 'pc-q35-9' } },
  });
  const spec = filled({ domain: { memory: { guest: '4Gi' } } }, config);
  assert.equal(spec['evictionStrategy'], 'LiveMigrate');
  assert.deepEqual(domainOf(spec)['cpu'], { cores: 1, model: 'Haswell', sockets: 1, threads: 1 });
  assert.deepEqual(domainOf(spec)['machine'], { type: 'pc-q35-9' });
  assert.deepEqual(domainOf(spec)['memory'], { guest: '4Gi' });
  assert.deepEqual(devicesOf(spec)['interfaces'], [{ name: 'default', masquerade: {} }]);
});
