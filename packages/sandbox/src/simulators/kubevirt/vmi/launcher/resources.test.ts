import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../values/json.ts';
import { vmiOf } from '../builders.fixture.ts';
import { memoryOverhead } from './memory-overhead.ts';
import { annotatedBytes } from './quantities.ts';
import { computeResources, defaultSurroundings, type LauncherContext } from './resources.ts';

const MI = 1024 * 1024;
const cpu = (sockets: number): JsonObject => ({ cpu: { sockets, cores: 1, threads: 1 } });

interface Case {
  readonly name: string;
  readonly domain: JsonObject;
  readonly around?: Partial<LauncherContext>;
  readonly requests: Record<string, string>;
  readonly limits?: Record<string, string>;
}

const cases: readonly Case[] = [
  {
    name: 'a tenth of each vCPU, and the overhead on top of guest memory',
    domain: {},
    requests: { cpu: '100m', memory: '1292Mi' },
  },
  { name: 'ten vCPUs are a whole CPU', domain: cpu(10), requests: { cpu: '1', memory: '1364Mi' } },
  {
    name: 'the unit of the guest stays',
    domain: { memory: { guest: '1G' } },
    requests: { cpu: '100m', memory: '1281018368' },
  },
  {
    name: 'what is requested comes before the guest, and costs page tables',
    domain: { resources: { requests: { memory: '2Gi' } } },
    requests: { cpu: '100m', memory: '2320Mi' },
  },
  {
    name: 'limits alone are requests, too',
    domain: { resources: { limits: { memory: '2Gi' } } },
    requests: { cpu: '100m', memory: '2316Mi' },
    limits: { memory: '2316Mi' },
  },
  {
    name: 'a quota with limits sets limits',
    domain: cpu(2),
    around: { limited: { cpu: true, memory: true } },
    requests: { cpu: '200m', memory: '1300Mi' },
    limits: { cpu: '2', memory: '2600Mi' },
  },
  {
    name: 'the namespace says by how much',
    domain: {},
    around: { limited: { cpu: false, memory: true }, memoryLimitsRatio: 1.5 },
    requests: { cpu: '100m', memory: '1292Mi' },
    limits: { memory: '1938Mi' },
  },
  {
    name: 'dedicated CPUs are whole and limited',
    domain: { cpu: { cores: 4, dedicatedCpuPlacement: true } },
    requests: { cpu: '4', memory: '1416Mi' },
    limits: { cpu: '4', memory: '1416Mi' },
  },
  {
    name: 'huge pages are asked for apart from the overhead',
    domain: { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } },
    requests: { cpu: '100m', memory: '268Mi', 'hugepages-2Mi': '1Gi' },
    limits: { 'hugepages-2Mi': '1Gi' },
  },
  {
    name: 'guests that overcommit leave the overhead out',
    domain: { resources: { overcommitGuestOverhead: true } },
    requests: { cpu: '100m', memory: '1Gi' },
  },
];

for (const { name, domain, around = {}, requests, limits = {} } of cases)
  test(`resources: ${name}`, () => {
    const vmi = vmiOf({ domain });
    const found = computeResources(vmi, { ...defaultSurroundings, ...around }, memoryOverhead(vmi)) as {
      readonly requests: Record<string, string>;
      readonly limits: Record<string, string>;
    };
    const own = (list: Record<string, string>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(list).filter(([key]) => !key.startsWith('devices.') && key !== 'ephemeral-storage'),
      );
    assert.deepEqual(own(found.requests), requests);
    assert.deepEqual(own(found.limits), limits);
  });

test('emulation asks for no kvm', () => {
  const { limits } = computeResources(vmiOf(), { ...defaultSurroundings, useEmulation: true }, 0) as {
    readonly limits: object;
  };
  assert.deepEqual(Object.keys(limits), ['devices.kubevirt.io/tun']);
});

for (const { name, domain, spec, more } of [
  { name: 'nothing special', domain: {}, spec: {}, more: 0 },
  { name: 'another vCPU', domain: cpu(2), spec: {}, more: 8 },
  { name: 'no graphics', domain: { devices: { autoattachGraphicsDevice: false } }, spec: {}, more: -32 },
  { name: 'firmware of arm64', domain: {}, spec: { architecture: 'arm64' }, more: 128 },
  { name: 'a TPM', domain: { devices: { tpm: {} } }, spec: {}, more: 53 },
  { name: 'a GPU', domain: { devices: { gpus: [{ name: 'g', deviceName: 'x/y' }] } }, spec: {}, more: 1024 },
  {
    name: 'a probe that runs a command',
    domain: {},
    spec: { readinessProbe: { exec: { command: ['true'] } } },
    more: 110,
  },
])
  test(`memory overhead: ${name} is ${268 + more} MiB`, () => {
    assert.equal(memoryOverhead(vmiOf({ domain, spec })), (268 + more) * MI);
  });

test('bytes in an annotation count only where they are some', () => {
  assert.equal(annotatedBytes('281018368'), '268Mi');
  for (const text of [undefined, '', 'many', '-1', '1.5', '9'.repeat(400)])
    assert.equal(annotatedBytes(text), undefined);
});

test('devices are counted on top of a limit that is written as a quantity', () => {
  const domain = { resources: { limits: { 'devices.kubevirt.io/tun': '1k' } } };
  const { limits } = computeResources(vmiOf({ domain }), defaultSurroundings, 0) as { readonly limits: JsonObject };
  assert.equal(limits['devices.kubevirt.io/tun'], '1001');
});
