/** Every object gets an answer: no input throws or takes long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneJson, type Json, type JsonObject } from '../../../values/json.ts';
import { defaultConfig } from './cluster-config.ts';
import { setHotplug } from './defaults/hotplug.ts';
import { setSpecDefaults } from './defaults/vmi-spec.ts';
import { shaped } from './go-shape.ts';
import { hypervCauses } from './rules/hyperv.ts';
import { vmSpecCauses } from './vm/vm-spec.ts';

const rich: JsonObject = {
  domain: {
    cpu: { cores: 1, features: [{ name: 'vmx' }], numa: { guestMappingPassthrough: {} }, realtime: {} },
    memory: { guest: '1Gi', maxGuest: '2Gi', hugepages: { pageSize: '2Mi' } },
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
    firmware: {
      serial: 'x',
      bootloader: { efi: {} },
      kernelBoot: { container: { kernelPath: '/x' } },
      acpi: { slicNameRef: 'a' },
    },
    features: { hyperv: { evmcs: {}, synictimer: {} }, smm: {} },
    clock: { timer: { hpet: {} } },
    launchSecurity: { sev: {} },
    devices: {
      disks: [{ name: 'a', disk: { bus: 'virtio', pciAddress: 'x' }, blockSize: { custom: { logical: 512 } } }],
      interfaces: [
        { name: 'a', masquerade: {}, ports: [{ port: 1 }], dhcpOptions: { privateOptions: [{ option: 1 }] } },
      ],
      watchdog: { i6300esb: {} },
      gpus: [{ virtualGPUOptions: { display: { ramFB: {} } } }],
    },
  },
  networks: [{ name: 'a', multus: { networkName: 'x' } }],
  volumes: [
    { name: 'a', cloudInitNoCloud: { userData: 'x' } },
    { name: 'b', hostDisk: { capacity: '1Gi' } },
  ],
  accessCredentials: [{ sshPublicKey: { source: {}, propagationMethod: {} } }],
  readinessProbe: { httpGet: { port: 80 } },
  dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'x' }] },
};

const junk: readonly Json[] = [null, true, -1, 1e300, '', '1e999999999', [], [null], [[]], {}, { name: {} }];

/** Yields every copy of `value` in which one value, at any depth, is replaced by another. */
function* spoilt(value: Json): Generator<Json> {
  yield* junk;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    for (const other of spoilt((value as JsonObject)[key] ?? null)) {
      const copy = cloneJson(value) as JsonObject;
      copy[key] = cloneJson(other);
      yield copy;
    }
  }
}

test('a spec with anything anywhere is judged', () => {
  let judged = 0;
  for (const spec of spoilt(rich)) {
    if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) continue;
    const vm: JsonObject = { runStrategy: 'Halted', template: { spec }, dataVolumeTemplates: spec['volumes'] };
    vmSpecCauses(vm, defaultConfig, false);
    setSpecDefaults(spec, defaultConfig);
    setHotplug(spec, defaultConfig);
    hypervCauses('spec', spec);
    vmSpecCauses(vm, defaultConfig, false);
    shaped(undefined, spec);
    judged++;
  }
  assert.ok(judged > 1000, `${judged} were judged`);
});

test('thousands of disks and interfaces are judged', () => {
  const many = Array.from({ length: 20_000 }, () => ({ name: 'same', disk: {} }));
  const spec: JsonObject = {
    domain: { devices: { disks: many, interfaces: cloneJson(many) } },
    volumes: cloneJson(many),
  };
  const causes = vmSpecCauses({ runStrategy: 'Halted', template: { spec } }, defaultConfig, false);
  assert.ok(causes.length > many.length);
});
