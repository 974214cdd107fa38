/** What a Machine asks for when its template and its own words are put together, field by field. All that can be judged by the Machine alone is judged here. */
import { cloudInitDisk } from '../machine/disk-names.ts';
import { resolveDomain, type ResolvedDomain } from './domain.ts';
import { isDnsLabel } from './names.ts';
import { orProblem, refuse } from './problem.ts';
import type {
  BootDevice,
  CloudInitSpec,
  CpuSpec,
  DiskSource,
  DiskSpec,
  MachineSpec,
  NetworkSpec,
  Problem,
} from './resource.ts';
import { sizeInBytes, writtenSize } from './size.ts';
import { templates, type MachineTemplate } from './templates.ts';

export interface ResolvedDisk extends Omit<DiskSpec, 'size'> {
  readonly size: string;
  readonly bytes: number;
}

export interface ResolvedMachine {
  readonly template?: string;
  readonly running: boolean;
  readonly cpu: Required<CpuSpec>;
  readonly memory: string;
  /** The one that it boots from is first. */
  readonly disks: readonly ResolvedDisk[];
  readonly networks: readonly NetworkSpec[];
  /** Without what the machine does not have. */
  readonly bootOrder: readonly Exclude<BootDevice, 'cdrom'>[];
  readonly cloudInit?: CloudInitSpec;
  readonly domain: ResolvedDomain;
}

export type Resolution = { readonly resolved: ResolvedMachine } | { readonly problem: Problem };

const MIB = 2 ** 20;
/** What KubeVirt counts a topology with. */
const MOST_CPUS = 710;
/** KubeVirt takes no more volumes; one is for cloud-init. */
const MOST_DISKS = 255;
const MOST_NETWORKS = 64;

export function resolveSpec(spec: MachineSpec): Resolution {
  return orProblem(() => ({ resolved: resolved(spec) }));
}

function resolved(spec: MachineSpec): ResolvedMachine {
  if (spec.malformed !== undefined)
    refuse(
      `${spec.malformed}. The Machine has not the form of its definition, under which it was not written: write it anew.`,
    );
  const [template, base] = templateOf(spec);
  const disks = disksOf(base?.disks ?? [], spec.disks ?? []);
  return {
    ...(template === undefined ? {} : { template }),
    running: spec.running ?? true,
    cpu: cpuOf(base?.cpu, spec.resources?.cpu),
    memory: memoryOf(base?.memory, spec.resources?.memory?.size),
    disks,
    networks: networksOf(spec.networks ?? []),
    bootOrder: bootOrderOf(spec.bootOrder ?? [], disks.length > 0),
    ...(spec.cloudInit === undefined ? {} : { cloudInit: spec.cloudInit }),
    domain: resolveDomain(spec.domain),
  };
}

function templateOf({ template, instanceType }: MachineSpec): readonly [string?, MachineTemplate?] {
  const name = template ?? instanceType;
  if (name === undefined) return [];
  if (instanceType !== undefined && instanceType !== name)
    refuse(
      `spec.template is "${name}" and spec.instanceType is "${instanceType}", which mean the same thing: take one of them out.`,
    );
  const found = templates.get(name);
  if (found === undefined)
    refuse(
      `spec.${template === undefined ? 'instanceType' : 'template'} "${name}" does not exist. Use a valid template name: small, medium, or large.`,
      'TemplateNotFound',
    );
  return [name, found];
}

function cpuOf(base: Required<CpuSpec> | undefined, own: CpuSpec = {}): Required<CpuSpec> {
  const cpu = { cores: 1, threads: 1, sockets: 1, ...base, ...defined(own) };
  for (const [field, count] of Object.entries(cpu))
    if (!Number.isInteger(count) || count < 1)
      refuse(`spec.resources.cpu.${field} is ${count}: it must be a whole number of at least 1.`);
  const all = cpu.cores * cpu.threads * cpu.sockets;
  if (all > MOST_CPUS)
    refuse(
      `spec.resources.cpu asks for ${all} CPUs (cores × threads × sockets): a machine has at most ${MOST_CPUS}. Ask for fewer.`,
    );
  return cpu;
}

function memoryOf(base: string | undefined, own: string | undefined): string {
  const memory = own ?? base;
  if (memory === undefined)
    refuse(
      'spec.resources.memory.size is needed where spec.template names no template: say how much memory, such as "4Gi", or name a template (small, medium, large).',
    );
  if (sizeInBytes(memory, MIB) === undefined) refuse(badSize('spec.resources.memory.size', memory));
  return writtenSize(memory);
}

function badSize(field: string, size: string): string {
  return `${field} is "${size}": it must be a size of at least 1Mi, such as "512Mi", "4Gi" or "1.5Gi".`;
}

/** A disk of the template takes what the Machine says of it; the others come behind, in their order. A disk "root" that no template has is the one to boot from all the same. */
function disksOf(base: readonly DiskSpec[], own: readonly DiskSpec[]): readonly ResolvedDisk[] {
  refuseDoubles('spec.disks', own);
  const said = new Map(own.map((disk) => [disk.name, disk]));
  const merged = base.map((disk) => ({ ...disk, ...defined(said.get(disk.name) ?? {}) }));
  const names = new Set(base.map(({ name }) => name));
  const all = [...merged, ...own.filter(({ name }) => !names.has(name))];
  if (all.length > MOST_DISKS) refuse(`spec.disks has ${all.length} disks: a machine has at most ${MOST_DISKS}.`);
  return all.map(resolvedDisk).toSorted((a, b) => Number(b.name === 'root') - Number(a.name === 'root'));
}

function resolvedDisk(disk: DiskSpec): ResolvedDisk {
  const { name, size, source } = disk;
  const field = `spec.disks["${name}"]`;
  if (!isDnsLabel(name))
    refuse(`${field}: the name of a disk has at most 63 small letters, digits and dashes, with no dash at either end.`);
  if (name === cloudInitDisk)
    refuse(`${field}: this name is kept for the disk with the cloud-init data. Take another.`);
  if (size === undefined)
    refuse(`${field}.size is needed: no template has a disk "${name}". Say how large, such as "20Gi".`);
  const bytes = sizeInBytes(size, MIB);
  if (bytes === undefined) refuse(badSize(`${field}.size`, size));
  if (source !== undefined) refuseBadSource(field, source);
  return { ...disk, size: writtenSize(size), bytes };
}

function refuseBadSource(field: string, source: DiskSource): void {
  const kinds = Object.keys(defined(source));
  if (kinds.length !== 1)
    refuse(
      `${field}.source must be exactly one of containerDisk, http, pvc, dataSource; it is ${kinds.length === 0 ? 'none' : kinds.join(' and ')}.`,
    );
}

function networksOf(networks: readonly NetworkSpec[]): readonly NetworkSpec[] {
  refuseDoubles('spec.networks', networks);
  if (networks.length > MOST_NETWORKS)
    refuse(`spec.networks has ${networks.length} networks: a machine has at most ${MOST_NETWORKS}.`);
  for (const { name } of networks)
    if (!isDnsLabel(name))
      refuse(
        `spec.networks["${name}"]: the name of a network has at most 63 small letters, digits and dashes, with no dash at either end.`,
      );
  const pods = networks.filter(({ networkName }) => networkName === undefined).map(({ name }) => `"${name}"`);
  if (pods.length > 1)
    refuse(
      `spec.networks ${pods.join(' and ')} name no networkName: only one network of a machine can be the pod network. Give the others a networkName.`,
    );
  return networks;
}

function refuseDoubles(field: string, entries: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (seen.has(name)) refuse(`${field} has two entries of the name "${name}": names must differ.`);
    seen.add(name);
  }
}

/**
 * A Machine has no CD-ROM: what is not there is passed over, as firmware does it, so that `[disk, network, cdrom]` can be said of any Machine. Where nothing is
 * left, somebody meant something that he does not get.
 */
function bootOrderOf(order: readonly BootDevice[], hasDisk: boolean): ResolvedMachine['bootOrder'] {
  if (new Set(order).size !== order.length)
    refuse(`spec.bootOrder [${order.join(', ')}] names a device twice: each may stand in it once.`);
  const there = order.filter((device) => device !== 'cdrom').filter((device) => device === 'network' || hasDisk);
  if (order.length > 0 && there.length === 0)
    refuse(
      `spec.bootOrder [${order.join(', ')}] names no device that this machine has: a machine has no CD-ROM${hasDisk ? '' : ', and this one no disk'}. Name "network"${hasDisk ? ' or "disk"' : ', or give it a disk'}.`,
    );
  return there;
}

/** Without what is undefined or null: it is not said. */
function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== null)) as Partial<T>;
}
