/**
 * What a Machine must have become, by its reference and independent of the operator's own code: sizes of the templates,
 * names of objects, the part of a virtual machine for each field.
 */
import { defined } from '@ssvirt/base/values/defined';
import type {
  MachineDiskSpec,
  MachineSpec,
  NetworkSpec,
} from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { fields, list, type Fields } from '../../../packages/ssvirt/src/kubevirt/facts/reading.ts';
import { networks, textsOf } from './supplies.ts';
import type { Declared } from './declared.ts';

const templates: Readonly<Record<string, { cores: number; memory: string; root: string }>> = {
  small: { cores: 1, memory: '2Gi', root: '20Gi' },
  medium: { cores: 2, memory: '4Gi', root: '40Gi' },
  large: { cores: 4, memory: '8Gi', root: '80Gi' },
};

export interface ExpectedDisk {
  readonly name: string;
  readonly claim: string;
  readonly size: string;
  readonly hasSource: boolean;
}

/** The first one is the boot disk. */
export function expectedDisks({ name, spec }: Declared): readonly ExpectedDisk[] {
  const root = { name: 'root', size: templates[spec.template ?? '']?.root ?? '' };
  const said = spec.disks ?? [];
  const all: readonly MachineDiskSpec[] = [
    { ...root, ...said.find((disk) => disk.name === 'root') },
    ...said.filter((disk) => disk.name !== 'root'),
  ];
  return all.map((disk) => ({
    name: disk.name,
    claim: `${name}-${disk.name}`,
    size: disk.size ?? '',
    hasSource: disk.source !== undefined,
  }));
}

/** The texts for the guest, and whether they are in a Secret. */
export function expectedCloudInit({
  namespace,
  spec,
}: Declared): { readonly userData: string; readonly networkData?: string; readonly inSecret: boolean } | undefined {
  const { cloudInit } = spec;
  if (cloudInit === undefined) return undefined;
  const { userData, networkData, secretRef } = cloudInit;
  const copied = userData === undefined ? new Map(textsOf(namespace)).get(secretRef?.name ?? '') : undefined;
  return {
    userData: userData ?? copied ?? '',
    ...defined({ networkData }),
    inSecret: userData === undefined || userData.length > 2048,
  };
}

/** The parts of a VirtualMachine that belong to the Machine. */
export function expectedVm(declared: Declared): object {
  const { name, spec, labels } = declared;
  const template = templates[spec.template ?? ''];
  const { cores = template?.cores, threads = 1, sockets = 1 } = spec.resources?.cpu ?? {};
  const disks = expectedDisks(declared);
  const nics: readonly NetworkSpec[] = spec.networks ?? [{ name: 'default' }];
  const cloudInit = expectedCloudInit(declared);
  const marks = { ...labels, 'vitistack.io/managed-by': 'kubevirt-operator', 'vitistack.io/machine': name };
  return {
    labels: marks,
    templateLabels: marks,
    runStrategy: spec.running === false ? 'Halted' : 'RerunOnFailure',
    cpu: { cores, threads, sockets },
    memory: spec.resources?.memory?.size ?? template?.memory,
    disks: [...disks.map((disk) => disk.name), ...(cloudInit === undefined ? [] : ['cloudinitdisk'])],
    volumes: [
      ...disks.map((disk) =>
        disk.hasSource
          ? { name: disk.name, dataVolume: { name: disk.claim } }
          : { name: disk.name, persistentVolumeClaim: { claimName: disk.claim } },
      ),
      ...(cloudInit === undefined ? [] : [cloudInitVolume(name, cloudInit)]),
    ],
    networks: nics.map(({ name: nic, networkName }) =>
      networkName === undefined ? { name: nic, pod: {} } : { name: nic, multus: { networkName } },
    ),
    interfaces: nics.map(({ name: nic, networkName, model = 'virtio', macAddress }) => ({
      name: nic,
      model,
      binding: networkName === undefined ? 'masquerade' : 'bridge',
      macAddress: macAddress?.toLowerCase() ?? 'made from the uid',
    })),
  };
}

function cloudInitVolume(machine: string, told: NonNullable<ReturnType<typeof expectedCloudInit>>): object {
  const name = `vm-${machine}-cloudinit`;
  const { userData, networkData, inSecret } = told;
  return {
    name: 'cloudinitdisk',
    cloudInitNoCloud: inSecret
      ? { secretRef: { name }, ...(networkData === undefined ? {} : { networkDataSecretRef: { name } }) }
      : { userData, ...defined({ networkData }) },
  };
}

/** The same parts of an existing one. */
export function shownVm(object: unknown, declared: Declared): object {
  const { metadata, spec } = fields(object);
  const { runStrategy, template } = fields(spec);
  const { metadata: inner, spec: guest } = fields(template);
  const { domain, volumes, networks: attached } = fields(guest);
  const { cpu, memory, devices } = fields(domain);
  const { cores, threads, sockets } = fields(cpu);
  const carried = ['cluster.vitistack.io/cluster-name', 'vitistack.io/managed-by', 'vitistack.io/machine'];
  const marks = (labels: Fields): Fields =>
    Object.fromEntries(carried.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]])));
  return {
    labels: marks(fields(fields(metadata)['labels'])),
    templateLabels: marks(fields(fields(inner)['labels'])),
    runStrategy,
    cpu: { cores, threads, sockets },
    memory: fields(memory)['guest'],
    disks: list(fields(devices)['disks']).map((disk) => fields(disk)['name']),
    volumes: list(volumes),
    networks: list(attached),
    interfaces: list(fields(devices)['interfaces']).map((one) => shownInterface(fields(one), declared.spec)),
  };
}

function shownInterface(one: Fields, spec: MachineSpec): object {
  const isSaid = (spec.networks ?? []).some(({ name, macAddress }) => name === one['name'] && macAddress !== undefined);
  const address = String(one['macAddress']);
  return {
    name: one['name'],
    model: one['model'],
    binding: one['masquerade'] !== undefined ? 'masquerade' : one['bridge'] !== undefined ? 'bridge' : 'none',
    macAddress: !isSaid && /^02(:[0-9a-f]{2}){5}$/.test(address) ? 'made from the uid' : address,
  };
}

/** The parts of the configuration of a network. */
export function expectedNetwork(name: string): object {
  const { vlan, bridge, mtu } = networks.get(name) ?? {};
  return { type: 'bridge', bridge, vlan, mtu };
}

export function shownNetwork(object: unknown): object {
  const text = fields(fields(object)['spec'])['config'];
  const { type, bridge, vlan, mtu } = fields(typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined);
  return { type, bridge, vlan, mtu };
}
