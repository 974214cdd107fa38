/** The VirtualMachine of a Machine: the fields that are ours, for server-side apply. */
import { evictionStrategy, runStrategyFor, terminationGracePeriodSeconds } from '../machine/build.ts';
import { kubevirtVersion, type KubeLike } from '../machine/kube-like.ts';
import { labels as kubevirtLabels } from '../machine/labels.ts';
import type { CloudInit } from './cloud-init.ts';
import { childMetadata, type MachineIdentity } from './identity.ts';
import { diskName, vmName } from './names.ts';
import type { ResolvedNetwork } from './networks.ts';
import type { ResolvedDisk, ResolvedMachine } from './resolve.ts';

type Json = Readonly<Record<string, unknown>>;

/** Lists of which others may have entries too, such as a volume that somebody hot-plugged. */
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
  return {
    apiVersion: kubevirtVersion,
    kind: 'VirtualMachine',
    metadata,
    spec: {
      runStrategy: runStrategyFor(resolved.running),
      template: {
        // KubeVirt gives the instance these, and nothing of the machine's own.
        metadata: { labels: { ...labels, [kubevirtLabels.kubevirtVm]: name }, annotations },
        spec: instanceSpec(identity, resolved, networks, cloudInit),
      },
    },
  };
}

function instanceSpec(
  { name }: MachineIdentity,
  { cpu, memory, disks, bootOrder, domain }: ResolvedMachine,
  networks: readonly ResolvedNetwork[],
  { volume }: CloudInit,
): Json {
  const place = { disk: bootOrder.indexOf('disk') + 1, network: bootOrder.indexOf('network') + 1 };
  const volumes = volume === undefined ? [] : [volume];
  return {
    domain: {
      cpu,
      memory: { guest: memory },
      ...domain,
      devices: {
        disks: [
          ...disks.map((disk, index) => ({ name: disk.name, ...device(disk), ...booting(index === 0, place.disk) })),
          ...volumes.map((one) => ({ name: one['name'], disk: { bus: 'virtio' } })),
        ],
        interfaces: networks.map((network, index) => ({
          ...networkInterface(network),
          ...booting(index === 0, place.network),
        })),
        // Only virtio has more than one queue.
        ...(networks.some(({ model }) => model === 'virtio') ? { networkInterfaceMultiqueue: true } : {}),
      },
    },
    networks: networks.map(networkOf),
    volumes: [...disks.map((disk) => diskVolume(name, disk)), ...volumes],
    evictionStrategy,
    terminationGracePeriodSeconds,
  };
}

/** KubeVirt refuses two devices of one place, so only the first of its kind is booted from. */
function booting(isFirst: boolean, place: number): Json {
  return isFirst && place > 0 ? { bootOrder: place } : {};
}

/** What nobody may write to is not offered for writing: the guest would see errors. */
function device({ accessMode }: ResolvedDisk): Json {
  return { disk: { bus: 'virtio', ...(accessMode === 'ReadOnlyMany' ? { readonly: true } : {}) } };
}

/** By its DataVolume, KubeVirt waits until the disk is filled. */
function diskVolume(machine: string, { name, source }: ResolvedDisk): Json {
  const claimName = diskName(machine, name);
  return source === undefined
    ? { name, persistentVolumeClaim: { claimName } }
    : { name, dataVolume: { name: claimName } };
}

function networkOf({ name, attachment }: ResolvedNetwork): Json {
  return attachment === undefined ? { name, pod: {} } : { name, multus: { networkName: attachment } };
}

/** Behind masquerade a machine can move to another node; a network of its own is bridged. */
function networkInterface({ name, attachment, model, macAddress }: ResolvedNetwork): Json {
  return { name, model, macAddress, ...(attachment === undefined ? { masquerade: {} } : { bridge: {} }) };
}
