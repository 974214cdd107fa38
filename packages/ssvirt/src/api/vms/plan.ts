/**
 * Turns a request into the columns of a row after checking all of it: nothing is written for a request that could not
 * be carried out.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { BootSource, DiskSpec, VmSpec, VmNetworkSpec } from '../../kubevirt/tenant-vm/spec.ts';
import { checkImage, checkUrl, offeredImage } from '../catalogs/boot-sources/checks.ts';
import { badRequest } from '../errors.ts';
import { diskOf } from './disk-plan.ts';
import { largest, type NewMachineInput } from './new-vm.ts';
import { notKnown, type Offers } from './offers.ts';
import { sizeOf } from './size.ts';
import { checkSshKey } from './ssh-keys.ts';
import { requireDefaultStorageClass } from './storage-classes.ts';

/** `MachinePlan` is a VM that can be created (`createMachine`). */
export interface MachinePlan {
  readonly name: string;
  readonly description: string;
  /** Null if it is unknown before the VM exists. */
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly guestOs?: string;
  readonly powerOn: boolean;
  readonly spec: VmSpec;
}

/**
 * Throws BAD_REQUEST with the field, the value and the rule; SERVICE_UNAVAILABLE if the cluster's offers are unknown.
 */
export function planMachine(offers: Offers, asked: NewMachineInput): MachinePlan {
  const { boot, rootMb } = bootOf(offers, asked);
  const { cpus, memoryMb, instancetype } = sizeOf(offers, asked);
  if (rootMb !== undefined) requireDefaultStorageClass(offers, 'The boot disk of the VM');
  const disks = disksOf(offers, asked.disks ?? []);
  const { name, description = '', powerOn = true, preference, cloudInit, sshKeys = [] } = asked;
  if (preference !== undefined) checkPreference(offers, preference);
  checkCloudInit(cloudInit);
  for (const [index, key] of sshKeys.entries()) checkSshKey(`sshKeys.${index}`, key);
  const spec: VmSpec = {
    source: { kind: 'direct', boot },
    ...defined({ instancetype }),
    ...(preference === undefined ? {} : { preference: { name: preference } }),
    ...(rootMb === undefined ? {} : { rootDisk: { sizeMb: rootMb } }),
    disks,
    networks: networksOf(asked.networks),
    storageMb: disks.reduce((sum, { sizeMb }) => sum + sizeMb, rootMb ?? 0),
    ...defined({ cloudInit }),
    ...(sshKeys.length === 0 ? {} : { sshKeys: sshKeys.map((key) => key.trim()) }),
  };
  return { name, description, cpus, memoryMb, powerOn, spec };
}

interface Boot {
  readonly boot: BootSource;
  /** The size of the boot disk; absent for a container disk. */
  readonly rootMb?: number;
}

function bootOf(offers: Offers, asked: NewMachineInput): Boot {
  const { image, dataSource, url, blank, diskSizeGb } = asked;
  const given = Object.entries({ image, dataSource, url, blank }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'none is given' : `${given.map(([name]) => name).join(' and ')} are given`;
    throw badRequest(`image, dataSource, url, blank: ${what}; give exactly one of them.`);
  }
  if (image !== undefined) {
    checkImage('image', image);
    if (diskSizeGb !== undefined)
      throw badRequest(
        'diskSizeGb: a container disk has a fixed size; leave it out, and add a disk (disks) for persistent data.',
      );
    return { boot: { kind: 'image', image } };
  }
  if (dataSource !== undefined)
    return { boot: { kind: 'dataSource', ...dataSource }, rootMb: copyMb(offers, dataSource, diskSizeGb) };
  if (diskSizeGb === undefined)
    throw badRequest(
      `diskSizeGb is missing; ${url === undefined ? 'an empty disk needs a size' : 'an image from a URL needs the size of its disk'}.`,
    );
  if (url !== undefined) checkUrl('url', url, 'everyone who can read the disk in the cluster');
  return { boot: url === undefined ? { kind: 'blank' } : { kind: 'url', url }, rootMb: diskSizeGb * 1024 };
}

const mebibyte = 2 ** 20;

/**
 * Accepts only what this cluster offers to everyone: otherwise a tenant could name the disks of another one. The copy
 * is at least as large as the image.
 */
function copyMb(
  { source, cluster }: Offers,
  image: NonNullable<NewMachineInput['dataSource']>,
  diskSizeGb: number | undefined,
): number {
  const what = `dataSource: the boot image "${image.namespace}/${image.name}"`;
  const offered = offeredImage(image, source);
  const offer = offered?.offers.find((one) => one.cluster === cluster);
  if (offered === undefined || offer === undefined) {
    if (source.unavailable().some((away) => away.cluster === cluster)) throw notKnown('boot images');
    throw badRequest(
      `${what} is not offered to this virtual data center; catalog items whose source is DataSource name the available boot images.`,
    );
  }
  if (!offer.available) throw badRequest(`${what} cannot be used at the moment; try again later, or choose another.`);
  // The definition may differ between clusters.
  const { storageBytes } = source.entryIn(cluster, offered.entry) ?? offered.entry;
  const leastMb = storageBytes === undefined ? undefined : Math.ceil(storageBytes / mebibyte);
  if (diskSizeGb === undefined) {
    if (leastMb === undefined) throw badRequest(`diskSizeGb is missing; ${what} states no size.`);
    return leastMb;
  }
  if (leastMb !== undefined && diskSizeGb * 1024 < leastMb)
    throw badRequest(
      `diskSizeGb: ${diskSizeGb} GB is less than the size of the boot image; give ${Math.ceil(leastMb / 1024)} or more, or leave it out.`,
    );
  return diskSizeGb * 1024;
}

function checkPreference({ source, cluster }: Offers, name: string): void {
  if (source.preference(cluster, name)) return;
  if (!source.known(cluster)) throw notKnown('preferences');
  throw badRequest(`preference: this virtual data center does not offer "${name}"; leave it out, or choose another.`);
}

function disksOf(offers: Offers, asked: NonNullable<NewMachineInput['disks']>): readonly DiskSpec[] {
  const taken: string[] = [];
  return asked.map((disk, index) => {
    const spec = diskOf(offers, `disks.${index}`, disk, taken);
    taken.push(spec.name);
    return spec;
  });
}

/** KubeVirt accepts at most one pod network. */
function networksOf(asked: NewMachineInput['networks']): readonly VmNetworkSpec[] {
  if (asked === undefined || asked.length === 0) return [{ name: 'default', kind: 'pod' }];
  const names = new Set<string>();
  let pods = 0;
  return asked.map(({ name, kind, networkName }, index): VmNetworkSpec => {
    const field = `networks.${index}`;
    if (names.has(name)) throw badRequest(`${field}.name: "${name}" is given twice; network names must be unique.`);
    names.add(name);
    if (kind === 'pod') {
      if (networkName !== undefined)
        throw badRequest(`${field}.networkName: only a network of the kind multus has a networkName; leave it out.`);
      pods += 1;
      if (pods > 1) throw badRequest(`${field}.kind: only one network of the kind pod is allowed; remove one.`);
      return { name, kind };
    }
    if (networkName === undefined)
      throw badRequest(`${field}.networkName is missing; a network of the kind multus needs it.`);
    return { name, kind, networkName };
  });
}

/** The schema limits the number of characters, not bytes. */
function checkCloudInit(data: NewMachineInput['cloudInit'] = {}): void {
  for (const [name, text] of Object.entries(data)) {
    const bytes = Buffer.byteLength(text);
    if (bytes > largest.cloudInit)
      throw badRequest(
        `cloudInit.${name}: is ${bytes} bytes; the limit is ${largest.cloudInit}. Let the guest download the rest.`,
      );
  }
}
