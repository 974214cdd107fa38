/** Compares the operator's objects for a sample with the expected ones. */
import assert from 'node:assert/strict';
import {
  claims,
  dataVolumes,
  networkAttachments,
  secrets,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { documentsOf, interfacesOf, type ExpectedDisk, type Sample } from './samples.ts';

const namespace = 'default';

interface VmSpec {
  readonly runStrategy: string;
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly domain: Readonly<Record<string, unknown>> & {
        readonly cpu: { readonly cores: number; readonly threads: number; readonly sockets: number };
        readonly memory: { readonly guest: string };
        readonly devices: {
          readonly disks: readonly { readonly name: string }[];
          readonly interfaces: readonly Interface[];
        };
      };
      readonly networks: readonly Network[];
      readonly volumes: readonly Volume[];
    };
  };
}

interface Interface {
  readonly name: string;
  readonly model: string;
  readonly macAddress: string;
}

interface Network {
  readonly name: string;
  readonly pod?: object;
  readonly multus?: { readonly networkName: string };
}

interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly dataVolume?: { readonly name: string };
  readonly cloudInitNoCloud?: { readonly userData?: string; readonly secretRef?: { readonly name: string } };
}

interface StorageSpec {
  readonly storageClassName?: string;
  readonly accessModes?: readonly string[];
  readonly volumeMode?: string;
  readonly resources: { readonly requests: { readonly storage: string } };
}

interface FilledSpec {
  readonly source?: object;
  readonly sourceRef?: object;
  readonly storage: StorageSpec;
}

/** `client` is for the cluster that the sample runs on. */
export async function checkSample(client: Client, sample: Sample): Promise<void> {
  const { machine, phase = 'Running', cpu, memory, domain = {} } = sample;
  const vm = await client.get(virtualMachines, { namespace, name: `vm-${machine}` });
  const spec = specOf(vm) as VmSpec;
  const { template } = spec;
  const { cores, threads, sockets } = template.spec.domain.cpu;
  assert.deepEqual([cores, threads, sockets], cpu, `${machine}: processors`);
  assert.equal(template.spec.domain.memory.guest, memory, `${machine}: memory`);
  assert.equal(spec.runStrategy, phase === 'Running' ? 'RerunOnFailure' : 'Halted', `${machine}: power`);
  assert.partialDeepStrictEqual(template.spec.domain, domain, `${machine}: domain`);
  const own = { 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': machine, ...sample.labels };
  for (const labels of [vm.metadata.labels, template.metadata.labels]) assert.partialDeepStrictEqual(labels, own);
  await checkInterfaces(client, sample, spec);
  await checkDisks(client, sample, spec);
  await checkUserData(client, sample, template.spec.volumes);
}

async function checkInterfaces(client: Client, sample: Sample, { template }: VmSpec): Promise<void> {
  const { networks, domain } = template.spec;
  const expected = interfacesOf(sample);
  assert.deepEqual(
    networks.map(({ name, multus }) => [name, multus?.networkName]),
    expected.map(({ name, network }) => [name, network]),
  );
  assert.deepEqual(
    domain.devices.interfaces.map(({ name, model }) => [name, model]),
    expected.map(({ name, model }) => [name, model]),
  );
  for (const [index, { mac = /^02(:[0-9a-f]{2}){5}$/ }] of expected.entries())
    assert.match(domain.devices.interfaces[index]?.macAddress ?? '', new RegExp(mac));
  for (const { network } of expected) if (network !== undefined) await checkAttachment(client, sample.file, network);
}

/** As the NetworkConfiguration of the Machine says. */
async function checkAttachment(client: Client, file: string, name: string): Promise<void> {
  const declared = documentsOf(file).find(
    ({ kind, metadata }) => kind === 'NetworkConfiguration' && metadata.name === name,
  );
  const { vlan, bridge, mtu } = specOf(declared) as Readonly<Record<string, unknown>>;
  const found = await client.get(networkAttachments, { namespace, name });
  const config = JSON.parse((specOf(found) as { config: string }).config) as Readonly<Record<string, unknown>>;
  assert.deepEqual([config['type'], config['vlan'], config['bridge'], config['mtu']], ['bridge', vlan, bridge, mtu]);
}

async function checkDisks(client: Client, sample: Sample, { template }: VmSpec): Promise<void> {
  const { volumes, domain } = template.spec;
  const named = volumes.filter(({ cloudInitNoCloud }) => cloudInitNoCloud === undefined);
  assert.deepEqual(
    named.map(({ name, persistentVolumeClaim, dataVolume }) => [
      name,
      persistentVolumeClaim?.claimName,
      dataVolume?.name,
    ]),
    sample.disks.map(({ name, from }) => {
      const claim = `${sample.machine}-${name}`;
      return from === undefined ? [name, claim, undefined] : [name, undefined, claim];
    }),
  );
  assert.deepEqual(
    domain.devices.disks.map(({ name }) => name),
    volumes.map(({ name }) => name),
  );
  for (const disk of sample.disks) await checkDisk(client, sample.machine, disk);
}

async function checkDisk(client: Client, machine: string, disk: ExpectedDisk): Promise<void> {
  const key = { namespace, name: `${machine}-${disk.name}` };
  const { metadata, ...found } = await client.get(claims, key);
  const spec = specOf(found) as StorageSpec;
  // A copy may be larger than requested if the source is.
  if (disk.from === undefined) assert.equal(spec.resources.requests.storage, disk.size, `${key.name}: size`);
  assert.equal(spec.storageClassName, disk.class ?? 'standard', `${key.name}: class`);
  if (disk.volumeMode !== undefined) assert.equal(spec.volumeMode, disk.volumeMode, `${key.name}: volume mode`);
  if (disk.accessModes !== undefined) assert.deepEqual(spec.accessModes, disk.accessModes, `${key.name}: access modes`);
  assert.equal(metadata.labels?.['vitistack.io/machine'], machine, `${key.name}: label`);
  if (disk.from === undefined) return;
  const filled = specOf(await client.get(dataVolumes, key)) as FilledSpec;
  assert.equal(filled.storage.resources.requests.storage, disk.size, `${key.name}: size`);
  const from = filled.sourceRef === undefined ? Object.keys(filled.source ?? {}) : ['sourceRef'];
  assert.deepEqual(from, [disk.from], `${key.name}: source`);
}

async function checkUserData(client: Client, { machine, userData }: Sample, volumes: readonly Volume[]): Promise<void> {
  const told = volumes.find(({ name }) => name === 'cloudinitdisk')?.cloudInitNoCloud;
  if (userData === undefined) return assert.equal(told, undefined);
  if (userData.in === 'machine') return assert.ok(told?.userData?.includes(userData.says), `${machine}: user data`);
  const name = `vm-${machine}-cloudinit`;
  assert.deepEqual(told?.secretRef, { name });
  const { data = {} } = await client.get(secrets, { namespace, name });
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString();
  assert.ok(text('userdata').includes(userData.says), `${machine}: user data`);
  assert.ok(text('networkdata').includes(userData.networkData ?? ''), `${machine}: network data`);
}

/** An object that a server has validated; the caller names its type. */
function specOf(object: object | undefined): unknown {
  return object !== undefined && 'spec' in object ? object.spec : undefined;
}

/** The finding of a status, for a message. */
export function statusOf(object: KubeObject): string {
  return JSON.stringify((object as { readonly status?: unknown }).status ?? {});
}
