/** A machine that is made directly: its Secrets, which have to be there first, and the VirtualMachine. */
import { cloudInitDisk, diskNameProblem, rootDisk } from './disk-names.ts';
import { guestData } from './guest-data.ts';
import { kubevirtVersion, type KubeLike } from './kube-like.ts';
import { instanceLabels, machineAnnotations, machineLabels, type MachineIdentity } from './labels.ts';
import { dataVolumeName } from './names.ts';
import type { BootSource, Matcher, MachineSpec, NetworkSpec } from './spec.ts';
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

/** A guest that shuts itself down stays off, and one that crashes comes back. */
export function runStrategyFor(running: boolean): 'RerunOnFailure' | 'Halted' {
  return running ? 'RerunOnFailure' : 'Halted';
}

/** Nodes can be drained: what can move does, and what cannot is shut down instead of holding up the drain. */
export const evictionStrategy = 'LiveMigrateIfPossible';

/** KubeVirt's own 30 s are short for a guest that has to write out a database; what needs longer does not hold up the drain of a node for minutes. */
export const terminationGracePeriodSeconds = 60;

export const instancetypeKind = 'VirtualMachineClusterInstancetype';
const preferenceKind = 'VirtualMachineClusterPreference';

export function buildMachine(
  identity: MachineIdentity,
  spec: MachineSpec,
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

function virtualMachine(identity: MachineIdentity, spec: Json): KubeLike {
  const { vmName: name, namespace } = identity;
  const annotations = machineAnnotations(identity);
  return {
    apiVersion: kubevirtVersion,
    kind: 'VirtualMachine',
    metadata: { name, namespace, labels: machineLabels(identity), annotations },
    spec,
  };
}

/** Serial console and VNC are there unless they are turned off. */
function instanceSpec(
  { vmName }: MachineIdentity,
  spec: MachineSpec,
  size: MachineSize,
  { volumes, accessCredentials }: ReturnType<typeof guestData>,
): Json {
  const { disks, networks, instancetype } = spec;
  return {
    domain: {
      ...(instancetype === undefined ? hardware(size) : {}),
      devices: {
        disks: [
          { name: rootDisk, ...device(spec), bootOrder: 1 },
          // So that the guest tells them apart: /dev/disk/by-id.
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

/** Sockets, since nothing else can be added while it runs. */
function hardware({ cpus, memoryMb }: MachineSize): Json {
  return { cpu: { sockets: cpus, cores: 1, threads: 1 }, memory: { guest: mebibytes(memoryMb) } };
}

/** A preference knows what the guest can drive, but only fills what is left open. */
function device({ preference }: MachineSpec): Json {
  return { disk: preference === undefined ? { bus: 'virtio' } : {} };
}

function rootVolume(vmName: string, { source }: MachineSpec): Json {
  return source.kind === 'direct' && source.boot.kind === 'image'
    ? { name: rootDisk, containerDisk: { image: source.boot.image } }
    : diskVolume(vmName, rootDisk);
}

function dataVolumeTemplates(identity: MachineIdentity, spec: MachineSpec, boot: BootSource): readonly Json[] {
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

const podNetwork: NetworkSpec = { name: 'default', kind: 'pod' };

function orDefault(networks: readonly NetworkSpec[]): readonly NetworkSpec[] {
  return networks.length === 0 ? [podNetwork] : networks;
}

function network(one: NetworkSpec): Json {
  return one.kind === 'pod'
    ? { name: one.name, pod: {} }
    : { name: one.name, multus: { networkName: one.networkName } };
}

/** Behind masquerade a machine can move to another node; a bridge is what a network of its own is for. */
function networkInterface({ name, kind }: NetworkSpec): Json {
  return kind === 'pod' ? { name, masquerade: {} } : { name, bridge: {} };
}

function matcher(field: 'instancetype' | 'preference', asked: Matcher | undefined, kind: string): Json {
  return asked === undefined ? {} : { [field]: { kind: asked.kind ?? kind, name: asked.name } };
}

/** Who took the request has checked them: two volumes of one name would be refused by the cluster with words that nobody understands. */
function refuseBadDisks({ vmName }: MachineIdentity, { disks }: MachineSpec): void {
  const names = disks.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const problem = diskNameProblem(name, names.slice(0, index));
    if (problem !== undefined) throw new RangeError(`cannot build the machine "${vmName}": ${problem}`);
  }
}

/** `namespace/name` would put the machine on a network of somebody else. */
function refuseForeignNetworks({ vmName }: MachineIdentity, { networks }: MachineSpec): void {
  for (const one of networks)
    if (one.kind === 'multus' && one.networkName.includes('/'))
      throw new RangeError(`cannot build the machine "${vmName}": "${one.networkName}" is not in its own namespace`);
}
