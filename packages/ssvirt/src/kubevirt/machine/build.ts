/** Builds the VirtualMachine of a Machine: the fields that we own, for server-side apply. */
import { defined } from '@ssvirt/base/values/defined';
import { evictionStrategy, runStrategyFor, terminationGracePeriodSeconds } from '../tenant-vm/build.ts';
import { kubevirtVersion, type KubeLike } from '../tenant-vm/kube-like.ts';
import { labels as kubevirtLabels } from '../tenant-vm/labels.ts';
import {
  adoptedCpu,
  adoptedDomain,
  adoptedMemory,
  claimOfVolume,
  type AdoptedDisk,
  type AdoptedSettings,
} from './adopted.ts';
import type { CloudInit } from './cloud-init.ts';
import { childMetadata, type MachineIdentity } from './identity.ts';
import { diskName, vmName } from './names.ts';
import { networkSettings } from './network-settings.ts';
import type { ResolvedNetwork } from './networks.ts';
import { isAttached, type ResolvedDisk, type ResolvedMachine } from './resolve.ts';
import { annotations as ours } from './resource.ts';

type Json = Readonly<Record<string, unknown>>;

/** Lists in which others may have entries too, such as a volume that a user hot-plugged. */
export const atomicLists = [
  { path: 'spec.template.spec.volumes' },
  { path: 'spec.template.spec.networks' },
  { path: 'spec.template.spec.domain.devices.disks' },
  { path: 'spec.template.spec.domain.devices.interfaces' },
] as const;

export interface MachineParts {
  readonly networks: readonly ResolvedNetwork[];
  readonly cloudInit: CloudInit;
}

export function buildVirtualMachine(
  identity: MachineIdentity,
  resolved: ResolvedMachine,
  { networks, cloudInit }: MachineParts,
): KubeLike {
  const name = vmName(identity.name);
  const metadata = childMetadata(identity, name);
  const { labels, annotations } = metadata;
  const { adopted } = resolved;
  return {
    apiVersion: kubevirtVersion,
    kind: 'VirtualMachine',
    metadata: adopted === undefined ? metadata : { ...metadata, annotations: { ...annotations, ...noteOf(adopted) } },
    spec: {
      runStrategy: runStrategyFor(resolved.running),
      template: {
        // KubeVirt copies these to the instance, and nothing of the VirtualMachine's own metadata.
        metadata: {
          labels: { ...labels, [kubevirtLabels.kubevirtVm]: name },
          annotations: {
            ...annotations,
            ...defined({ [ours.networks]: networkSettings(networks), [ours.restart]: identity.restart }),
          },
        },
        spec: instanceSpec(identity, resolved, networks, cloudInit),
      },
    },
  };
}

/** The annotation lets every later reconcile read the snapshot from the VirtualMachine itself. */
export function noteOf(adopted: AdoptedSettings): Readonly<Record<string, string>> {
  return { [ours.adopted]: JSON.stringify(adopted) };
}

function instanceSpec(
  identity: MachineIdentity,
  resolved: ResolvedMachine,
  networks: readonly ResolvedNetwork[],
  { volume }: CloudInit,
): Json {
  const { cpu, memory, domain, disks, adopted } = resolved;
  const volumes = volume === undefined ? [] : [volume];
  const notices = volumes.map((one) => ({ name: one['name'], disk: { bus: 'virtio' } }));
  const common = {
    networks: networks.map(networkOf),
    volumes: [...disks.map((disk) => diskVolume(identity.name, disk, shapeOf(adopted, disk.name))), ...volumes],
  };
  const devices = {
    disks: [...diskDevices(resolved), ...notices],
    interfaces: interfaceDevices(resolved, networks),
  };
  if (adopted !== undefined) {
    const wholeCpu = adoptedCpu(adopted, cpu === undefined ? undefined : { ...cpu });
    const wholeMemory = adoptedMemory(adopted, memory);
    return {
      domain: {
        ...defined({ cpu: wholeCpu, memory: wholeMemory }),
        ...adoptedDomain(adopted, { ...domain }),
        devices: {
          ...devices,
          ...defined({ networkInterfaceMultiqueue: adopted.multiqueue }),
        },
      },
      ...common,
      ...adopted.instance,
    };
  }
  return {
    domain: {
      cpu,
      memory: { guest: memory },
      ...domain,
      devices: {
        ...devices,
        // Only virtio supports multiple queues.
        ...(networks.some(({ model }) => model === 'virtio') ? { networkInterfaceMultiqueue: true } : {}),
      },
    },
    ...common,
    evictionStrategy,
    terminationGracePeriodSeconds,
  };
}

/**
 * A bootOrder that the Machine states is written to all devices, since KubeVirt refuses two devices with the same
 * position. Otherwise each device keeps its own.
 */
function diskDevices({ disks, bootOrder, adopted }: ResolvedMachine): readonly Json[] {
  const place = bootOrder.indexOf('disk') + 1;
  const cdromPlace = bootOrder.indexOf('cdrom') + 1;
  const firstDisk = disks.find(({ type = 'disk' }) => type === 'disk');
  const firstCdrom = disks.find(({ type }) => type === 'cdrom');
  if (adopted === undefined || adopted.disks.length === 0)
    return disks.map((disk) => ({
      name: disk.name,
      ...device(disk),
      ...booting(disk === firstDisk, place),
      ...booting(disk === firstCdrom, cdromPlace),
    }));
  if (bootOrder.length === 0)
    return disks.map((disk) => ({ name: disk.name, ...(shapeOf(adopted, disk.name)?.device ?? device(disk)) }));
  const first = firstToBoot(adopted.disks);
  const all = [
    ...adopted.disks.map(({ name, device: had }) => ({ name, ...had })),
    ...disks
      .filter(({ name }) => shapeOf(adopted, name) === undefined)
      .map((disk) => ({ name: disk.name, ...device(disk) })),
  ];
  return all.map((disk) => ({
    ...withoutPlace(disk),
    ...booting(disk.name === first?.name, place),
    ...booting(disk.name !== first?.name && disk.name === firstCdrom?.name, cdromPlace),
  }));
}

function interfaceDevices(
  { bootOrder, adopted }: ResolvedMachine,
  networks: readonly ResolvedNetwork[],
): readonly Json[] {
  const place = bootOrder.indexOf('network') + 1;
  const had = adopted?.interfaces ?? [];
  if (had.length === 0)
    return networks.map((network, index) => ({ ...networkInterface(network), ...booting(index === 0, place) }));
  const stated = networks.map((network) => ({ name: network.name, ...interfaceShape(network) }));
  if (bootOrder.length === 0) return stated;
  const names = new Set(stated.map(({ name }) => name));
  const first = firstToBoot(had);
  const kept = had.filter(({ name }) => !names.has(name)).map(({ name, device: shape }) => ({ name, ...shape }));
  return [...stated, ...kept].map((one) => ({ ...withoutPlace(one), ...booting(one.name === first?.name, place) }));
}

function interfaceShape(network: ResolvedNetwork): Json {
  const { name: _name, ...made } = networkInterface(network);
  return network.adopted?.device ?? made;
}

/** The device with the lowest bootOrder, or else the first. */
function firstToBoot<T extends { readonly device: Json }>(devices: readonly T[]): T | undefined {
  const placeOf = ({ device: { bootOrder } }: T): number => (typeof bootOrder === 'number' ? bootOrder : Infinity);
  return devices.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : Number(placeOf(a) > placeOf(b))))[0];
}

function withoutPlace<T extends Json>({ bootOrder: _place, ...rest }: T): Omit<T, 'bootOrder'> {
  return rest;
}

function shapeOf(adopted: AdoptedSettings | undefined, disk: string): AdoptedDisk | undefined {
  return adopted?.disks.find(({ name }) => name === disk);
}

/** KubeVirt refuses two devices with the same position, so only the first of its kind gets one. */
function booting(isFirst: boolean, place: number): Json {
  return isFirst && place > 0 ? { bootOrder: place } : {};
}

/**
 * A read-only volume is attached as read-only: otherwise the guest would see write errors. Firmware and guests know a
 * CD-ROM on SATA without a driver; virtio has none.
 */
function device({ accessMode, type }: ResolvedDisk): Json {
  if (type === 'cdrom') return { cdrom: { bus: 'sata', readonly: true } };
  return { disk: { bus: 'virtio', ...(accessMode === 'ReadOnlyMany' ? { readonly: true } : {}) } };
}

/**
 * For a disk with a source, the volume names the DataVolume: KubeVirt then waits until the disk is filled. A volume
 * that was attached to that claim already stays as it was.
 */
function diskVolume(machine: string, disk: ResolvedDisk, had: AdoptedDisk | undefined): Json {
  const { name, source } = disk;
  const claimName = isAttached(disk) ? disk.existingClaim : diskName(machine, name);
  if (had?.volume !== undefined && claimOfVolume(had.volume) === claimName) return { name, ...had.volume };
  return source === undefined
    ? { name, persistentVolumeClaim: { claimName } }
    : { name, dataVolume: { name: claimName } };
}

function networkOf({ name, attachment, adopted }: ResolvedNetwork): Json {
  if (adopted !== undefined) return { name, ...adopted.network };
  return attachment === undefined ? { name, pod: {} } : { name, multus: { networkName: attachment } };
}

/** Behind masquerade a VM can migrate to another node; other networks are bridged. */
function networkInterface({ name, attachment, model, macAddress }: ResolvedNetwork): Json {
  return { name, model, macAddress, ...(attachment === undefined ? { masquerade: {} } : { bridge: {} }) };
}
