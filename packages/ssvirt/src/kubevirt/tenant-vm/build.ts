/** Builds a VM that is created directly: its Secrets, which must exist first, and the VirtualMachine. */
import { cloudInitDisk, diskNameProblem, rootDisk } from './disk-names.ts';
import { guestData } from './guest-data.ts';
import { kubevirtVersion, type KubeLike } from './kube-like.ts';
import { instanceLabels, machineAnnotations, machineLabels, type VmIdentity } from './labels.ts';
import { dataVolumeName, hostNameFor } from './names.ts';
import type { BootSource, Matcher, VmSpec, VmNetworkSpec } from './spec.ts';
import { blankDisk, bootDisk, diskVolume, mebibytes } from './storage.ts';

type Json = Readonly<Record<string, unknown>>;

export interface MachineSize {
  readonly cpus: number;
  readonly memoryMb: number;
}

export interface BuiltMachine {
  readonly secrets: readonly KubeLike[];
  readonly machine: KubeLike;
}

/** `runStrategyFor` returns a guest that shuts itself down stays off, and one that crashes is restarted. */
export function runStrategyFor(running: boolean): 'RerunOnFailure' | 'Halted' {
  return running ? 'RerunOnFailure' : 'Halted';
}

/** Nodes can be drained: VMs that can migrate do, and the others are shut down instead of blocking the drain. */
export const evictionStrategy = 'LiveMigrateIfPossible';

/**
 * KubeVirt's default of 30 s is short for a guest that has to flush a database. More than a minute would delay the
 * drain of a node too long.
 */
export const terminationGracePeriodSeconds = 60;

export const instancetypeKind = 'VirtualMachineClusterInstancetype';
const preferenceKind = 'VirtualMachineClusterPreference';

export function buildMachine(
  identity: VmIdentity,
  spec: VmSpec,
  { running, ...size }: MachineSize & { readonly running: boolean },
): BuiltMachine {
  const { source, instancetype, preference } = spec;
  if (source.kind !== 'direct')
    throw new TypeError(`cannot build the machine "${identity.vmName}": it is to be made by a ${source.kind}`);
  refuseBadDisks(identity, spec);
  refuseForeignNetworks(identity, spec);
  const guest = guestData(identity, spec);
  const disks = dataVolumeTemplates(identity, spec, source.boot);
  const machineSpec = {
    runStrategy: runStrategyFor(running),
    ...matcher('instancetype', instancetype, instancetypeKind),
    ...matcher('preference', preference, preferenceKind),
    ...(disks.length === 0 ? {} : { dataVolumeTemplates: disks }),
    template: { metadata: { labels: instanceLabels(identity) }, spec: instanceSpec(identity, spec, size, guest) },
  };
  return { secrets: guest.secrets, machine: virtualMachine(identity, machineSpec) };
}

function virtualMachine(identity: VmIdentity, spec: Json): KubeLike {
  const { vmName: name, namespace } = identity;
  const annotations = machineAnnotations(identity);
  return {
    apiVersion: kubevirtVersion,
    kind: 'VirtualMachine',
    metadata: { name, namespace, labels: machineLabels(identity), annotations },
    spec,
  };
}

/** KubeVirt provides the serial console and VNC unless they are turned off. */
function instanceSpec(
  { vmName, name }: VmIdentity,
  spec: VmSpec,
  size: MachineSize,
  { volumes, accessCredentials }: ReturnType<typeof guestData>,
): Json {
  const { disks, networks, instancetype } = spec;
  const hostname = hostNameFor(name);
  return {
    ...(hostname === '' ? {} : { hostname }),
    domain: {
      ...(instancetype === undefined ? hardware(size) : {}),
      devices: {
        disks: [
          { name: rootDisk, ...device(spec), bootOrder: 1 },
          // The guest identifies disks by their serial number: /dev/disk/by-id.
          ...disks.map(({ name }) => ({ name, ...device(spec), serial: name })),
          ...volumes.map(() => ({ name: cloudInitDisk, ...device(spec) })),
        ],
        interfaces: orDefault(networks).map(networkInterface),
      },
    },
    networks: orDefault(networks).map(network),
    volumes: [rootVolume(vmName, spec), ...disks.map(({ name }) => diskVolume(vmName, name)), ...volumes],
    ...(accessCredentials.length === 0 ? {} : { accessCredentials }),
    evictionStrategy,
    terminationGracePeriodSeconds,
  };
}

/** Sockets, since only they can be added while the VM runs. */
function hardware({ cpus, memoryMb }: MachineSize): Json {
  return { cpu: { sockets: cpus, cores: 1, threads: 1 }, memory: { guest: mebibytes(memoryMb) } };
}

/** A preference knows which hardware the guest supports, but only fills fields that are left open. */
function device({ preference }: VmSpec): Json {
  return { disk: preference === undefined ? { bus: 'virtio' } : {} };
}

function rootVolume(vmName: string, { source }: VmSpec): Json {
  return source.kind === 'direct' && source.boot.kind === 'image'
    ? { name: rootDisk, containerDisk: { image: source.boot.image } }
    : diskVolume(vmName, rootDisk);
}

function dataVolumeTemplates(identity: VmIdentity, spec: VmSpec, boot: BootSource): readonly Json[] {
  const root = bootDisk(boot, spec.rootDisk ?? {});
  const disks: readonly (readonly [string, Json])[] = [
    ...(root === undefined ? [] : [[rootDisk, root] as const]),
    ...spec.disks.map((disk) => [disk.name, blankDisk(disk)] as const),
  ];
  return disks.map(([disk, asked]) => ({
    metadata: { name: dataVolumeName(identity.vmName, disk), labels: machineLabels(identity) },
    spec: asked,
  }));
}

const podNetwork: VmNetworkSpec = { name: 'default', kind: 'pod' };

function orDefault(networks: readonly VmNetworkSpec[]): readonly VmNetworkSpec[] {
  return networks.length === 0 ? [podNetwork] : networks;
}

function network(one: VmNetworkSpec): Json {
  return one.kind === 'pod'
    ? { name: one.name, pod: {} }
    : { name: one.name, multus: { networkName: one.networkName } };
}

/** Behind masquerade a VM can migrate to another node. A bridge is for networks of the tenant's own. */
function networkInterface({ name, kind }: VmNetworkSpec): Json {
  return kind === 'pod' ? { name, masquerade: {} } : { name, bridge: {} };
}

function matcher(field: 'instancetype' | 'preference', asked: Matcher | undefined, kind: string): Json {
  return asked === undefined ? {} : { [field]: { kind: asked.kind ?? kind, name: asked.name } };
}

/**
 * The API server has checked these already. The cluster refuses two volumes of one name with a message that is hard to
 * understand.
 */
function refuseBadDisks({ vmName }: VmIdentity, { disks }: VmSpec): void {
  const names = disks.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const problem = diskNameProblem(name, names.slice(0, index));
    if (problem !== undefined) throw new RangeError(`cannot build the machine "${vmName}": ${problem}`);
  }
}

/** `namespace/name` would put the VM on a network of another namespace. */
function refuseForeignNetworks({ vmName }: VmIdentity, { networks }: VmSpec): void {
  for (const one of networks)
    if (one.kind === 'multus' && one.networkName.includes('/'))
      throw new RangeError(`cannot build the machine "${vmName}": "${one.networkName}" is not in its own namespace`);
}
