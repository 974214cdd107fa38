/**
 * Merges a Machine's own spec with its template, field by field. Everything that the Machine alone decides is checked
 * here.
 */
import { defined } from '@ssvirt/base/values/defined';
import { cloudInitDisk } from '../tenant-vm/disk-names.ts';
import { claimOfVolume, isUnchangedTemplate, type AdoptedDisk, type AdoptedSettings } from './adopted.ts';
import { resolveDomain, type ResolvedDomain } from './domain.ts';
import { isDnsLabel } from './names.ts';
import { orProblem, refuse } from './problem.ts';
import type {
  BootDevice,
  CloudInitSpec,
  CpuSpec,
  DiskSource,
  MachineDiskSpec,
  MachineSpec,
  NetworkSpec,
  MachineProblem,
} from './resource.ts';
import { sizeInBytes, writtenSize } from './size.ts';
import { templates, type MachineTemplate } from './templates.ts';

/** `OwnDisk` is a disk that is created for the Machine and deleted with it. */
export interface OwnDisk extends Omit<MachineDiskSpec, 'size' | 'existingClaim'> {
  readonly size: string;
  readonly bytes: number;
  /** The size is the template's, and the disk existed before: it keeps its size. */
  readonly keepsSize?: true;
  readonly existingClaim?: never;
}

/** `AttachedDisk` is an existing claim, used as it is. */
export interface AttachedDisk {
  readonly name: string;
  readonly existingClaim: string;
  readonly type?: MachineDiskSpec['type'];
  readonly size?: never;
  readonly bytes?: never;
  readonly storageClass?: never;
  readonly accessMode?: never;
  readonly volumeMode?: never;
  readonly source?: never;
}

export type ResolvedDisk = OwnDisk | AttachedDisk;

export function isAttached(disk: ResolvedDisk): disk is AttachedDisk {
  return disk.existingClaim !== undefined;
}

export interface ResolvedMachine {
  readonly template?: string;
  readonly running: boolean;
  /** For an adopted VM, only the stated fields. */
  readonly cpu?: CpuSpec;
  /** For an adopted VM, set only if stated. */
  readonly memory?: string;
  /** The boot disk is first. */
  readonly disks: readonly ResolvedDisk[];
  readonly networks: readonly NetworkSpec[];
  /** Without devices that the VM does not have. */
  readonly bootOrder: readonly BootDevice[];
  readonly cloudInit?: CloudInitSpec;
  readonly domain: ResolvedDomain;
  /** Set if the VM was adopted. */
  readonly adopted?: AdoptedSettings;
}

export type Resolution = { readonly resolved: ResolvedMachine } | { readonly problem: MachineProblem };

const MIB = 2 ** 20;
/** KubeVirt's limit when it multiplies a topology. */
const MOST_CPUS = 710;
/** KubeVirt's limit for volumes, less one for cloud-init. */
const MOST_DISKS = 255;
const MOST_NETWORKS = 64;

/** `adopted` is the snapshot of an adopted VM: it replaces the template. */
export function resolveSpec(spec: MachineSpec, adopted?: AdoptedSettings): Resolution {
  return orProblem(() => ({ resolved: resolved(spec, adopted) }));
}

function resolved(spec: MachineSpec, adopted: AdoptedSettings | undefined): ResolvedMachine {
  if (spec.malformed !== undefined)
    refuse(
      `${spec.malformed}. The Machine does not match its CustomResourceDefinition and was written under another one: apply it again.`,
    );
  const [template, base] = templateOf(spec);
  const disks = disksOf(base?.disks ?? [], spec.disks ?? [], template, adopted);
  return {
    ...defined({ template }),
    running: spec.running ?? true,
    ...sizesOf(base, spec, template, adopted),
    disks,
    networks: networksOf(spec.networks ?? []),
    bootOrder: bootOrderOf(spec.bootOrder ?? [], [...disks, ...(adopted?.disks ?? []).map(() => ({}))]),
    ...defined({ cloudInit: spec.cloudInit }),
    domain: resolveDomain(spec.domain),
    ...defined({ adopted }),
  };
}

function sizesOf(
  base: MachineTemplate | undefined,
  { resources }: MachineSpec,
  template: string | undefined,
  adopted: AdoptedSettings | undefined,
): Pick<ResolvedMachine, 'cpu' | 'memory'> {
  if (adopted === undefined || !isUnchangedTemplate(adopted, template))
    return { cpu: cpuOf(base?.cpu, resources?.cpu), memory: memoryOf(base?.memory, resources?.memory?.size) };
  const cpu = stated(resources?.cpu ?? {});
  const { size } = resources?.memory ?? {};
  if (adopted.instancetype !== undefined && (size !== undefined || Object.keys(cpu).length > 0))
    refuse(
      `spec.resources is set, and the VirtualMachine takes CPU and memory from the instance type "${adopted.instancetype}": leave spec.resources out, or remove the instance type from the VirtualMachine.`,
    );
  // Our rules apply to what the Machine states; KubeVirt judges what the adopted VM had.
  if (Object.keys(cpu).length > 0) cpuOf(undefined, cpu);
  return {
    ...(Object.keys(cpu).length === 0 ? {} : { cpu }),
    ...(size === undefined ? {} : { memory: memoryOf(undefined, size) }),
  };
}

function templateOf({ template, instanceType }: MachineSpec): readonly [string?, MachineTemplate?] {
  const name = template ?? instanceType;
  if (name === undefined) return [];
  if (instanceType !== undefined && instanceType !== name)
    refuse(
      `spec.template is "${name}" and spec.instanceType is "${instanceType}", which have the same meaning: remove one of them.`,
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

/**
 * The Machine's entry for a disk of the template overrides its fields; its other disks follow, in their order. A disk
 * "root" that is in no template is the boot disk too.
 */
function disksOf(
  base: readonly MachineDiskSpec[],
  own: readonly MachineDiskSpec[],
  template: string | undefined,
  adopted: AdoptedSettings | undefined,
): readonly ResolvedDisk[] {
  refuseDoubles('spec.disks', own);
  const there = adopted?.disks ?? [];
  const said = new Map(own.map((disk) => [disk.name, disk]));
  const merged = base
    .filter(({ name }) => said.has(name) || isFilledIn(name, there))
    .map((disk) => mergedDisk(disk, said.get(disk.name)));
  const names = new Set(base.map(({ name }) => name));
  const all = [...merged, ...own.filter(({ name }) => !names.has(name))];
  if (all.length > MOST_DISKS) refuse(`spec.disks has ${all.length} disks: a machine has at most ${MOST_DISKS}.`);
  for (const disk of own) refuseInPlaceOf(disk, there);
  const keepsSize = (disk: ResolvedDisk): ResolvedDisk =>
    isAttached(disk) || adopted === undefined || !isUnchangedTemplate(adopted, template)
      ? disk
      : said.get(disk.name)?.size === undefined && there.some(({ name }) => name === disk.name)
        ? { ...disk, keepsSize: true }
        : disk;
  const disks = all.map(resolvedDisk).map(keepsSize);
  if (there.length === 0) return disks.toSorted((a, b) => Number(b.name === 'root') - Number(a.name === 'root'));
  // The guest continues to see its disks in the same order.
  const place = ({ name }: ResolvedDisk): number => {
    const index = there.findIndex((one) => one.name === name);
    return index === -1 ? there.length : index;
  };
  return disks.toSorted((a, b) => place(a) - place(b));
}

/**
 * A disk of the template is created only if the adopted VM has no disks, or if it has this disk as the Machine's own:
 * otherwise the VM would boot from a blank disk.
 */
function isFilledIn(name: string, there: readonly AdoptedDisk[]): boolean {
  return there.length === 0 || there.some((disk) => disk.name === name && disk.own === true);
}

function mergedDisk(base: MachineDiskSpec, said: MachineDiskSpec | undefined): MachineDiskSpec {
  if (said === undefined) return base;
  return isSaid(said.existingClaim) ? said : { ...base, ...defined(said), name: base.name };
}

/** A new disk would replace one that holds data. */
function refuseInPlaceOf({ name, existingClaim }: MachineDiskSpec, there: readonly AdoptedDisk[]): void {
  const found = there.find((disk) => disk.name === name);
  if (found === undefined || found.own === true || isSaid(existingClaim)) return;
  refuse(takesPlace(name, claimOfVolume(found.volume ?? {})), 'NameConflict');
}

/** `takesPlace` explains what to do if the VM has a volume of that name that is another claim, or no claim. */
export function takesPlace(disk: string, claim: string | undefined): string {
  const what = claim === undefined ? 'is no claim' : `is the claim "${claim}"`;
  const way =
    claim === undefined
      ? 'give the new disk another name'
      : `write existingClaim: ${claim} instead of size to use that claim, or give the new disk another name`;
  return `spec.disks["${disk}"]: the VirtualMachine has a volume "${disk}" already, which ${what}, and a new disk would take its place: ${way}.`;
}

function isSaid(value: string | undefined): value is string {
  return value !== undefined && value !== null && value !== '';
}

function resolvedDisk(disk: MachineDiskSpec): ResolvedDisk {
  const { name, size, source, existingClaim, ...rest } = disk;
  const field = `spec.disks["${name}"]`;
  if (!isDnsLabel(name))
    refuse(
      `${field}: the name of a disk has at most 63 lowercase letters, digits and dashes, with no dash at either end.`,
    );
  if (name === cloudInitDisk)
    refuse(`${field}: this name is reserved for the disk with the cloud-init data. Use another.`);
  if (isSaid(existingClaim)) return attachedDisk(field, disk, existingClaim);
  if (size === undefined)
    refuse(`${field}.size is needed: no template has a disk "${name}". Say how large, such as "20Gi".`);
  const bytes = sizeInBytes(size, MIB);
  if (bytes === undefined) refuse(badSize(`${field}.size`, size));
  if (source !== undefined) refuseBadSource(field, source);
  return { name, ...rest, ...defined({ source }), size: writtenSize(size), bytes };
}

function attachedDisk(field: string, disk: MachineDiskSpec, existingClaim: string): AttachedDisk {
  const { name, existingClaim: _claim, type, ...rest } = disk;
  const others = Object.keys(defined(rest));
  if (others.length > 0)
    refuse(
      `${field} has existingClaim and ${others.join(', ')}: an existing claim is used as it is. Remove the other fields, or existingClaim.`,
    );
  return { name, existingClaim, ...defined({ type }) };
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
        `spec.networks["${name}"]: the name of a network has at most 63 lowercase letters, digits and dashes, with no dash at either end.`,
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
 * Missing devices are skipped, as firmware skips them, so that `[disk, network, cdrom]` is valid for any Machine. An
 * order in which no device is left cannot be what the author intended and is refused.
 */
function bootOrderOf(
  order: readonly BootDevice[],
  disks: readonly Pick<MachineDiskSpec, 'type'>[],
): ResolvedMachine['bootOrder'] {
  if (new Set(order).size !== order.length)
    refuse(`spec.bootOrder [${order.join(', ')}] names a device twice: each may stand in it once.`);
  const has = new Set<BootDevice>(['network', ...disks.map(({ type = 'disk' }) => type)]);
  const there = order.filter((device) => has.has(device));
  if (order.length === 0 || there.length > 0) return there;
  const lacks = order.map((device) => (device === 'cdrom' ? 'no disk of type cdrom' : `no ${device}`)).join(' and ');
  return refuse(
    `spec.bootOrder [${order.join(', ')}] names no device that this machine has: it has ${lacks}. Name "network"${has.has('disk') ? ' or "disk"' : ''}, or add such a disk.`,
  );
}

/** Without fields that are undefined or null: they count as not stated. */
function stated<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== null)) as Partial<T>;
}
