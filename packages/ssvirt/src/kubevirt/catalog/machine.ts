/** Describes a template's VM as far as it is known before parameters are given. */
import { requestedSizes } from '../facts/disks.ts';
import { cpusOfDomain, memoryOfDomain } from '../facts/hardware.ts';
import { bytes } from '@ssvirt/base/values/quantity';
import { fields, known, list, text } from '../facts/reading.ts';
import { filled } from './parameters.ts';

const MIB = 2 ** 20;
const OS_ANNOTATION = 'vm.kubevirt.io/os';

export interface MachineOutline {
  readonly cpuCount?: number;
  readonly memoryBytes?: number;
  readonly storageBytes?: number;
  readonly guestOs?: string;
  readonly instancetype?: string;
  readonly instancetypeKind?: string;
  readonly preference?: string;
  readonly preferenceKind?: string;
}

export function isVirtualMachine(object: unknown): boolean {
  const { apiVersion, kind } = fields(object);
  return kind === 'VirtualMachine' && typeof apiVersion === 'string' && apiVersion.startsWith('kubevirt.io/');
}

export function outlineOf(machine: unknown, defaults: ReadonlyMap<string, string>): MachineOutline {
  const { metadata, spec } = fields(machine);
  const { template, instancetype, preference, dataVolumeTemplates } = fields(spec);
  const { metadata: inner, spec: instance } = fields(template);
  const domain = filled(fields(instance)['domain'], defaults);
  const memoryMb = memoryOfDomain(domain);
  const [sizedBy, preferred] = [fields(filled(instancetype, defaults)), fields(filled(preference, defaults))];
  const annotated = [inner, metadata].map((one) => filled(fields(fields(one)['annotations'])[OS_ANNOTATION], defaults));
  return known<MachineOutline>({
    cpuCount: cpusOfDomain(domain, instancetype !== undefined),
    memoryBytes: memoryMb === undefined ? undefined : memoryMb * MIB,
    storageBytes: storageOf(filled(dataVolumeTemplates, defaults)),
    guestOs: whole(annotated[0]) ?? whole(annotated[1]),
    instancetype: whole(sizedBy['name']),
    instancetypeKind: whole(sizedBy['kind']),
    preference: whole(preferred['name']),
    preferenceKind: whole(preferred['kind']),
  });
}

/** `outlineOfAll` sums over all VMs. A size that one VM does not state is unknown for the sum. */
export function outlineOfAll(machines: readonly unknown[], defaults: ReadonlyMap<string, string>): MachineOutline {
  const all = machines.map((machine) => outlineOf(machine, defaults));
  const [first] = all;
  if (first === undefined || all.length === 1) return first ?? {};
  const sum = (field: 'cpuCount' | 'memoryBytes' | 'storageBytes'): number | undefined => {
    const total = all.reduce((before, one) => before + (one[field] ?? Number.NaN), 0);
    return Number.isSafeInteger(total) ? total : undefined;
  };
  return known<MachineOutline>({
    ...first,
    cpuCount: sum('cpuCount'),
    memoryBytes: sum('memoryBytes'),
    storageBytes: sum('storageBytes'),
  });
}

/** The requested storage of its disks. Undefined if a disk takes its size from its source. */
function storageOf(dataVolumeTemplates: unknown): number | undefined {
  const asked = requestedSizes(dataVolumeTemplates);
  if (asked.size < list(dataVolumeTemplates).length) return undefined;
  const total = [...asked.values()].reduce<number>((before, size) => before + (bytes(size) ?? Number.NaN), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

/** Returns a name only if it contains no unresolved parameter. */
function whole(value: unknown): string | undefined {
  const name = text(value);
  return name === undefined || name.includes('${') ? undefined : name;
}
