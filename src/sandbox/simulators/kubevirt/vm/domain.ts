/** The parts of a VMI's spec that the VM controller looks into. Everything else travels along. */
import { jsonEqual, type Json, type JsonObject } from '../../../json.ts';
import type { VmiSpec, Volume } from '../objects.ts';

export interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Cpu {
  readonly sockets?: number;
  readonly cores?: number;
  readonly threads?: number;
  readonly maxSockets?: number;
  readonly realtime?: JsonObject;
  readonly numa?: { readonly guestMappingPassthrough?: JsonObject };
  readonly [field: string]: unknown;
}

export interface Memory {
  readonly guest?: string;
  readonly maxGuest?: string;
  readonly hugepages?: { readonly pageSize?: string };
  readonly [field: string]: unknown;
}

export interface Devices {
  readonly disks?: readonly Named[];
  readonly filesystems?: readonly Named[];
  readonly interfaces?: readonly Named[];
  readonly inputs?: readonly Named[];
  readonly autoattachPodInterface?: boolean;
  readonly autoattachInputDevice?: boolean;
  readonly [field: string]: unknown;
}

export interface Resources {
  readonly requests?: Readonly<Record<string, string | number>>;
  readonly limits?: Readonly<Record<string, string | number>>;
  readonly [field: string]: unknown;
}

export interface Domain {
  readonly cpu?: Cpu;
  readonly memory?: Memory;
  readonly devices?: Devices;
  readonly resources?: Resources;
  readonly firmware?: { readonly uuid?: string; readonly [field: string]: unknown };
  readonly launchSecurity?: JsonObject;
  readonly [field: string]: unknown;
}

/** What the schema has checked, under the names that we use. */
export function domainOf(spec: VmiSpec): Domain {
  return spec.domain;
}

export function withDomain(spec: VmiSpec, domain: Domain): VmiSpec {
  return { ...spec, domain: domain as unknown as JsonObject };
}

export function withDevices(spec: VmiSpec, devices: Partial<Devices>): VmiSpec {
  const domain = domainOf(spec);
  return withDomain(spec, { ...domain, devices: { ...domain.devices, ...devices } });
}

export function disksOf(spec: VmiSpec): readonly Named[] {
  return domainOf(spec).devices?.disks ?? [];
}

export function volumesOf(spec: VmiSpec): readonly Volume[] {
  return spec.volumes ?? [];
}

export function byName<T extends { readonly name: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((entry) => [entry.name, entry]));
}

/** The claim that a volume stands on; a DataVolume's claim has its name. */
export function claimNameOf(volume: Volume): string | undefined {
  const memoryDump = volume['memoryDump'] as { readonly claimName?: string } | undefined;
  return volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? memoryDump?.claimName;
}

export function isHotpluggable(volume: Volume): boolean {
  const memoryDump = volume['memoryDump'] as { readonly hotpluggable?: boolean } | undefined;
  return (
    volume.dataVolume?.hotpluggable === true ||
    volume.persistentVolumeClaim?.hotpluggable === true ||
    memoryDump?.hotpluggable === true
  );
}

/** Hotplug by the VM's spec does not know memory dumps: those have requests of their own. */
export function isDeclarativelyHotpluggable(volume: Volume): boolean {
  return volume.dataVolume?.hotpluggable === true || volume.persistentVolumeClaim?.hotpluggable === true;
}

/** Equal as JSON: a field that is undefined is one that is not there. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || jsonEqual(a as Json | undefined, b as Json | undefined);
}
