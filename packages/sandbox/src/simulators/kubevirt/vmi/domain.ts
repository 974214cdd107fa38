/**
 * The parts of `spec.domain` and of networks that determine a VMI's pod. An admitted object is trusted to have this
 * form.
 */
import type { JsonObject } from '../../../values/json.ts';
import type { VirtualMachineInstance, Volume } from '../objects.ts';

export interface VmiCpu {
  readonly sockets?: number;
  readonly cores?: number;
  readonly threads?: number;
  readonly maxSockets?: number;
  readonly model?: string;
  readonly dedicatedCpuPlacement?: boolean;
  readonly isolateEmulatorThread?: boolean;
  readonly features?: readonly { readonly name: string; readonly policy?: string }[];
  readonly realtime?: JsonObject;
}

export interface Interface {
  readonly name: string;
  readonly masquerade?: JsonObject;
  readonly bridge?: JsonObject;
  readonly sriov?: JsonObject;
  readonly passt?: JsonObject;
  readonly binding?: JsonObject;
  readonly state?: string;
  readonly model?: string;
  readonly macAddress?: string;
  readonly ports?: readonly { readonly name?: string; readonly protocol?: string; readonly port: number }[];
}

export interface Network {
  readonly name: string;
  readonly pod?: JsonObject;
  readonly multus?: { readonly networkName: string; readonly default?: boolean };
}

export interface Device {
  readonly name: string;
  readonly deviceName?: string;
}

export interface VmiDomain {
  readonly cpu?: VmiCpu;
  readonly memory?: {
    readonly guest?: string;
    readonly maxGuest?: string;
    readonly hugepages?: { readonly pageSize: string };
  };
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly overcommitGuestOverhead?: boolean;
  };
  readonly machine?: { readonly type?: string };
  readonly ioThreads?: { readonly supplementalPoolThreadCount?: number };
  readonly firmware?: {
    readonly bootloader?: { readonly efi?: { readonly persistent?: boolean } };
    readonly kernelBoot?: {
      readonly container?: {
        readonly image?: string;
        readonly imagePullPolicy?: string;
        readonly imagePullSecret?: string;
      };
    };
  };
  readonly launchSecurity?: JsonObject;
  readonly devices: {
    readonly disks?: readonly { readonly name: string }[];
    readonly filesystems?: readonly { readonly name: string }[];
    readonly interfaces?: readonly Interface[];
    readonly gpus?: readonly Device[];
    readonly hostDevices?: readonly Device[];
    readonly tpm?: { readonly persistent?: boolean; readonly enabled?: boolean };
    readonly disableHotplug?: boolean;
    readonly autoattachGraphicsDevice?: boolean;
    readonly autoattachSerialConsole?: boolean;
    readonly autoattachPodInterface?: boolean;
    readonly autoattachVSOCK?: boolean;
    readonly logSerialConsole?: boolean;
  };
}

export function domainOf({ spec }: Pick<VirtualMachineInstance, 'spec'>): VmiDomain {
  const domain = spec.domain as unknown as Partial<VmiDomain> | undefined;
  return { ...domain, devices: domain?.devices ?? {} };
}

export function networksOf({ spec }: Pick<VirtualMachineInstance, 'spec'>): readonly Network[] {
  return (spec.networks ?? []) as unknown as readonly Network[];
}

export function vcpusOf(cpu: VmiCpu | undefined): number {
  const { sockets, cores, threads } = cpu ?? {};
  return (sockets || 1) * (cores || 1) * (threads || 1);
}

export const isCpuDedicated = ({ cpu }: VmiDomain): boolean => cpu?.dedicatedCpuPlacement === true;

/** If limits and requests are both set and equal, the pod's QoS class is Guaranteed. */
export function wantsGuaranteed({ resources }: VmiDomain): boolean {
  const { requests = {}, limits = {} } = resources ?? {};
  return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
}

export function needsBackendStorage({ devices, firmware }: VmiDomain): boolean {
  return devices.tpm?.persistent === true || firmware?.bootloader?.efi?.persistent === true;
}

/** Also handles objects that no schema has validated: an index function must not throw. */
export function volumesOf({ spec }: { readonly spec?: { readonly volumes?: unknown } }): readonly Volume[] {
  const volumes = spec?.volumes;
  return Array.isArray(volumes) ? (volumes as readonly Volume[]) : [];
}

/** The name of the PVC behind a volume. A DataVolume's PVC has the DataVolume's name. */
export function claimOf(volume: Volume): string | undefined {
  const dump = volume['memoryDump'] as { readonly claimName?: string } | undefined;
  return volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? dump?.claimName;
}
