/** From what was asked for to what the row will say, after all of it has been checked: nothing is written for a request that could not be carried out. */
import type { BootSource, DiskSpec, MachineSpec, NetworkSpec } from '../../virt/machine/spec.ts';
import { checkImage, checkUrl, offeredImage } from '../boot-sources/checks.ts';
import { badRequest } from '../errors.ts';
import { diskOf } from './disk-plan.ts';
import { largest, type NewMachineInput } from './new-machine.ts';
import { notKnown, type Offers } from './offers.ts';
import { sizeOf } from './size.ts';
import { checkSshKey } from './ssh-keys.ts';
import { requireDefaultStorageClass } from './storage-classes.ts';

/** A machine that can be made (`createMachine`). */
export interface MachinePlan {
  readonly name: string;
  readonly description: string;
  /** Null where nobody knows before it is there. */
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly guestOs?: string;
  readonly powerOn: boolean;
  readonly spec: MachineSpec;
}

/** Throws BAD_REQUEST with the field, the value and the rule; SERVICE_UNAVAILABLE where what the cluster offers is not known. */
export function planMachine(offers: Offers, asked: NewMachineInput): MachinePlan {
  const { boot, rootMb } = bootOf(offers, asked);
  const { cpus, memoryMb, instancetype } = sizeOf(offers, asked);
  if (rootMb !== undefined) requireDefaultStorageClass(offers, 'The disk that the machine boots from');
  const disks = disksOf(offers, asked.disks ?? []);
  const { name, description = '', powerOn = true, preference, cloudInit, sshKeys = [] } = asked;
  if (preference !== undefined) checkPreference(offers, preference);
  checkCloudInit(cloudInit);
  for (const [index, key] of sshKeys.entries()) checkSshKey(`sshKeys.${index}`, key);
  const spec: MachineSpec = {
    source: { kind: 'direct', boot },
    ...(instancetype === undefined ? {} : { instancetype }),
    ...(preference === undefined ? {} : { preference: { name: preference } }),
    ...(rootMb === undefined ? {} : { rootDisk: { sizeMb: rootMb } }),
    disks,
    networks: networksOf(asked.networks),
    storageMb: disks.reduce((sum, { sizeMb }) => sum + sizeMb, rootMb ?? 0),
    ...(cloudInit === undefined ? {} : { cloudInit }),
    ...(sshKeys.length === 0 ? {} : { sshKeys: sshKeys.map((key) => key.trim()) }),
  };
  return { name, description, cpus, memoryMb, powerOn, spec };
}

interface Boot {
  readonly boot: BootSource;
  /** Of its own disk; a container disk is none. */
  readonly rootMb?: number;
}

function bootOf(offers: Offers, asked: NewMachineInput): Boot {
  const { image, dataSource, url, blank, diskSizeGb } = asked;
  const given = Object.entries({ image, dataSource, url, blank }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const what = given.length === 0 ? 'none is there' : `${given.map(([name]) => name).join(' and ')} are there`;
    throw badRequest(`image, dataSource, url, blank: ${what}; give exactly one of them.`);
  }
  if (image !== undefined) {
    checkImage('image', image);
    if (diskSizeGb !== undefined)
      throw badRequest(
        'diskSizeGb: a container disk has a size of its own; leave it out, and add a disk (disks) for what is to be kept.',
      );
    return { boot: { kind: 'image', image } };
  }
  if (dataSource !== undefined)
    return { boot: { kind: 'dataSource', ...dataSource }, rootMb: copyMb(offers, dataSource, diskSizeGb) };
  if (diskSizeGb === undefined)
    throw badRequest(
      `diskSizeGb: is missing; ${url === undefined ? 'an empty disk has to have a size' : 'an image from a url needs the size of the disk that it is put on'}.`,
    );
  if (url !== undefined) checkUrl('url', url, 'everybody who sees the disk in the cluster');
  return { boot: url === undefined ? { kind: 'blank' } : { kind: 'url', url }, rootMb: diskSizeGb * 1024 };
}

const mebibyte = 2 ** 20;

/** Only what is offered to all, by this cluster: a tenant could otherwise name the disks of another one. At least as large as the image. */
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
      `${what} is not offered to this virtual data center; catalog items with the source DataSource name those that there are.`,
    );
  }
  if (!offer.available) throw badRequest(`${what} cannot be used just now; try again later, or choose another.`);
  // Its definition may be another in each cluster.
  const { storageBytes } = source.entryIn(cluster, offered.entry) ?? offered.entry;
  const leastMb = storageBytes === undefined ? undefined : Math.ceil(storageBytes / mebibyte);
  if (diskSizeGb === undefined) {
    if (leastMb === undefined) throw badRequest(`diskSizeGb: is missing; ${what} does not say how large it is.`);
    return leastMb;
  }
  if (leastMb !== undefined && diskSizeGb * 1024 < leastMb)
    throw badRequest(
      `diskSizeGb: ${diskSizeGb} GB are less than the boot image has; give ${Math.ceil(leastMb / 1024)} or more, or leave it out.`,
    );
  return diskSizeGb * 1024;
}

function checkPreference({ source, cluster }: Offers, name: string): void {
  if (source.preference(cluster, name)) return;
  if (!source.known(cluster)) throw notKnown('preferences');
  throw badRequest(`preference: there is no "${name}" for this virtual data center; leave it out, or choose another.`);
}

function disksOf(offers: Offers, asked: NonNullable<NewMachineInput['disks']>): readonly DiskSpec[] {
  const taken: string[] = [];
  return asked.map((disk, index) => {
    const spec = diskOf(offers, `disks.${index}`, disk, taken);
    taken.push(spec.name);
    return spec;
  });
}

/** KubeVirt takes one network of the pod at most. */
function networksOf(asked: NewMachineInput['networks']): readonly NetworkSpec[] {
  if (asked === undefined || asked.length === 0) return [{ name: 'default', kind: 'pod' }];
  const names = new Set<string>();
  let pods = 0;
  return asked.map(({ name, kind, networkName }, index): NetworkSpec => {
    const field = `networks.${index}`;
    if (names.has(name))
      throw badRequest(`${field}.name: "${name}" is there twice; every network has a name of its own.`);
    names.add(name);
    if (kind === 'pod') {
      if (networkName !== undefined)
        throw badRequest(`${field}.networkName: only a network of the kind multus has one; leave it out.`);
      pods += 1;
      if (pods > 1) throw badRequest(`${field}.kind: there is one of the kind pod already; a machine has one at most.`);
      return { name, kind };
    }
    if (networkName === undefined)
      throw badRequest(`${field}.networkName: is missing; a network of the kind multus has to say which.`);
    return { name, kind, networkName };
  });
}

/** The length in the schema is one of characters. */
function checkCloudInit(data: NewMachineInput['cloudInit'] = {}): void {
  for (const [name, text] of Object.entries(data)) {
    const bytes = Buffer.byteLength(text);
    if (bytes > largest.cloudInit)
      throw badRequest(
        `cloudInit.${name}: has ${bytes} bytes, and ${largest.cloudInit} are the most; have the guest fetch the rest.`,
      );
  }
}
