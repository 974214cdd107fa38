/** The parts of a VMI's spec that the VM controller reads. Other fields are preserved. */
import { jsonEqual, type Json, type JsonObject } from '../../../values/json.ts';
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

/** The schema has validated the spec; this gives it our types. */
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

/** `claimNameOf` returns the PVC that backs a volume; the PVC of a DataVolume has the DataVolume's name. */
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

/** Hotplug by the VM's spec ignores memory dumps, which have their own requests. */
export function isDeclarativelyHotpluggable(volume: Volume): boolean {
  return volume.dataVolume?.hotpluggable === true || volume.persistentVolumeClaim?.hotpluggable === true;
}

/** Equality as JSON: an undefined field counts as absent. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || jsonEqual(a as Json | undefined, b as Json | undefined);
}
