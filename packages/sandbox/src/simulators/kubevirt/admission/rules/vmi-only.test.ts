/** Rules that apply to a VMI but not to a VM's template, and rules for its metadata. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultConfig } from '../cluster-config.ts';
import { architectureCauses } from './architecture.ts';
import { discontinuedCauses } from './bindings.ts';
import { hypervCauses } from './hyperv.ts';
import { mandatoryMemoryCauses } from './memory.ts';
import { metadataCauses, reservedLabelCauses } from './metadata.ts';
import { unusedVolumeCauses } from './volumes.ts';
import { vmiSpec } from './vmi-spec.fixture.ts';

const messages = (causes: readonly { readonly message: string }[]): string[] => causes.map(({ message }) => message);

test('a VMI needs memory from somewhere', () => {
  const none = vmiSpec({ domain: { memory: null } });
  assert.deepEqual(messages(mandatoryMemoryCauses('spec', none)), [
    "no memory requested, at least one of 'spec.domain.memory.guest', 'spec.domain.memory.hugepages.pageSize' or 'spec.domain.resources.requests.memory' must be set",
  ]);
  assert.deepEqual(mandatoryMemoryCauses('spec', vmiSpec({ domain: { memory: { guest: '0' } } })), []);
});

test('a volume of a VMI is used, unless memory is dumped into it', () => {
  const volumes = [
    { name: 'rootdisk', containerDisk: { image: 'demo' } },
    { name: 'extra', emptyDisk: { capacity: '1Gi' } },
    { name: 'dump', memoryDump: { claimName: 'x' } },
  ];
  assert.deepEqual(messages(unusedVolumeCauses('spec', vmiSpec({ volumes }))), [
    "spec.domain.volumes[1].name 'extra' not found.",
  ]);
});

test('an architecture has its own devices', () => {
  assert.deepEqual(architectureCauses('spec', vmiSpec()), []);
  assert.deepEqual(messages(architectureCauses('spec', vmiSpec({ architecture: 'z80' }))), [
    'unsupported architecture: z80',
  ]);
  const video = { domain: { devices: { video: { type: 'vga' } } } };
  assert.deepEqual(messages(architectureCauses('spec', vmiSpec({ architecture: 'arm64', ...video }))), [
    "video model 'vga' is not supported on arm64 architecture",
  ]);
});

test('bindings that were given up are refused', () => {
  const spec = vmiSpec({ domain: { devices: { interfaces: [{ name: 'default', slirp: {} }] } } });
  assert.deepEqual(discontinuedCauses('spec', spec), [
    {
      type: 'FieldValueInvalid',
      message: 'Slirp interface support has been discontinued since v1.3',
      field: 'spec.domain.devices.interfaces[0].slirp',
    },
  ]);
});

test('a Hyper-V feature needs another', () => {
  const hyperv = (features: object) => vmiSpec({ domain: { features: { hyperv: { ...features } } } });
  const off = hyperv({ synic: { enabled: true }, vpindex: { enabled: false } });
  assert.deepEqual(messages(hypervCauses('spec', off)), [
    "'spec.domain.features.hyperv.synic' requires 'spec.domain.features.hyperv.vpindex', which was disabled.",
  ]);
  assert.deepEqual(hypervCauses('spec', hyperv({ synic: { enabled: true }, vpindex: { enabled: true } })), []);
});

test('labels that are reserved are for KubeVirt alone', () => {
  const metadata = { labels: { 'kubevirt.io/nodeName': 'x' } };
  const refused = [
    {
      type: 'FieldValueNotSupported',
      message: 'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
      field: 'metadata.labels',
    },
  ];
  assert.deepEqual(metadataCauses('metadata', metadata, defaultConfig, false), refused);
  assert.deepEqual(metadataCauses('metadata', metadata, defaultConfig, true), []);
  assert.deepEqual(reservedLabelCauses({ labels: { a: 'b' } }, { labels: { a: 'c' } }), []);
  assert.equal(reservedLabelCauses({}, metadata).length, 1);
});

test('annotations that need a gate are refused without it', () => {
  const metadata = { annotations: { 'hooks.kubevirt.io/hookSidecars': '[]' } };
  assert.deepEqual(messages(metadataCauses('metadata', metadata, defaultConfig, false)), [
    'sidecar feature gate is not enabled in kubevirt-config, invalid entry metadata.annotations.hooks.kubevirt.io/hookSidecars',
  ]);
});
