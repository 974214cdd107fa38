/** Disks: target, bus, serial, cache, block size. Some of KubeVirt's paths contain the list's name twice. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { isDNS1123Label } from '../../../../objects/schema/names.ts';
import { invalid, notSupported, type Cause } from '../cause.ts';
import { isOn } from './amounts.ts';
import { isPlainText } from './firmware.ts';
import { isPciAddress } from './pci-address.ts';

const TARGETS = ['disk', 'lun', 'cdrom'] as const;
const BUSES = ['virtio', 'scsi', 'sata', 'usb'];
const CACHES = ['', 'none', 'writethrough', 'writeback', 'directsync'];
const IO_MODES = ['', 'native', 'threads'];
const ERROR_POLICIES = ['stop', 'ignore', 'report', 'enospace'];
const MAX_SERIAL = 256;
const MIN_BLOCK = 512;
const MAX_BLOCK = 2_097_152;

/** @param field The path of the list. */
export function diskCauses(field: string, disks: readonly JsonObject[]): Cause[] {
  const same = sameNames(disks);
  return disks.flatMap((disk, index) => [
    ...nameCauses(field, index, same[index] ?? []),
    ...targetCauses(`${field}[${index}]`, disk),
    ...addressCauses(field, index, objectAt(disk, 'disk')),
    ...orderCauses(`${field}[${index}]`, disk),
    ...busCauses(field, index, disk),
    ...reservationCauses(`${field}[${index}]`, objectAt(disk, 'lun')),
    ...serialCauses(`${field}[${index}]`, textAt(disk, 'serial')),
    ...modeCauses(field, index, disk),
    ...isDNS1123Label(textAt(disk, 'name')).map((fault) => invalid(fault, `${twice(field, index)}.name`)),
    ...blockSizeCauses(`${field}[${index}].blockSize`, objectAt(disk, 'blockSize'), busOf(disk)),
  ]);
}

const twice = (field: string, index: number): string => `${field}.domain.devices.disks[${index}]`;

/** For thousands of disks with the same name, not every pair is reported. */
const MAX_PAIRS = 64;

/** For each disk, the indexes of earlier disks with the same name. */
function sameNames(disks: readonly JsonObject[]): readonly (readonly number[])[] {
  const seen = new Map<string, number[]>();
  return disks.map((disk, index) => {
    const name = textAt(disk, 'name');
    const others = seen.get(name) ?? [];
    const before = others.slice(0, MAX_PAIRS);
    if (others.length < MAX_PAIRS) seen.set(name, [...others, index]);
    return before;
  });
}

function nameCauses(field: string, index: number, others: readonly number[]): Cause[] {
  return others.map((other) =>
    invalid(`${field}[${index}] and ${field}[${other}] must not have the same Name.`, `${field}[${index}].name`),
  );
}

function targetCauses(at: string, disk: JsonObject): Cause[] {
  if (TARGETS.filter((target) => isSet(disk, target)).length <= 1) return [];
  return [invalid(`${at} can only have a single target type defined`, at)];
}

function addressCauses(field: string, index: number, target: JsonObject | undefined): Cause[] {
  const address = textAt(target, 'pciAddress');
  if (address === '') return [];
  const at = `${field}.domain.devices.disks.disk[${index}]`;
  const causes: Cause[] = [];
  if (textAt(target, 'bus') !== 'virtio') {
    const text = `disk ${at}.name - setting a PCI address is only possible with bus type virtio.`;
    causes.push(invalid(text, `${at}.pciAddress`));
  }
  if (!isPciAddress(address))
    causes.push(invalid(`disk ${at}.name has malformed PCI address (${address}).`, `${at}.pciAddress`));
  return causes;
}

function orderCauses(at: string, disk: JsonObject): Cause[] {
  if (!isSet(disk, 'bootOrder') || numberAt(disk, 'bootOrder') >= 1) return [];
  return [invalid(`${at} must have a boot order > 0, if supplied`, `${at}.bootOrder`)];
}

const targetOf = (disk: JsonObject): (typeof TARGETS)[number] | undefined =>
  TARGETS.find((target) => isSet(disk, target));

function busOf(disk: JsonObject): string {
  const target = targetOf(disk);
  return target === undefined ? '' : textAt(objectAt(disk, target), 'bus');
}

function busCauses(field: string, index: number, disk: JsonObject): Cause[] {
  const bus = busOf(disk);
  if (bus === '') return [];
  const at = `${field}[${index}]`;
  const target = targetOf(disk) ?? '';
  const causes: Cause[] = [];
  if (bus === 'ide') causes.push(invalid('IDE bus is not supported', `${at}.${target}.bus`));
  else if (bus === 'virtio' && target === 'cdrom')
    causes.push(invalid(`Bus type ${bus} is invalid for CD-ROM device`, `${at}.cdrom.bus`));
  else if (bus === 'sata' && objectAt(disk, 'disk')?.['readonly'] === true)
    causes.push(invalid(`${bus} hard-disks do not support read-only.`, `${at}.disk.bus`));
  else if (!BUSES.includes(bus)) {
    const text = `${at} is set with an unrecognized bus ${bus}, must be one of: [${BUSES.join(' ')}]`;
    causes.push(invalid(text, `${at}.${target}.bus`));
  }
  if (disk['dedicatedIOThread'] === true && bus !== 'virtio')
    causes.push(notSupported(`IOThreads are not supported for disks on a ${bus} bus`, twice(field, index)));
  return causes;
}

function reservationCauses(at: string, lun: JsonObject | undefined): Cause[] {
  if (lun?.['reservation'] !== true || textAt(lun, 'bus') === 'scsi') return [];
  const text = `Persistent reservation requires a SCSI bus, but ${textAt(lun, 'bus')} was specified`;
  return [invalid(text, `${at}.lun.bus`)];
}

function serialCauses(at: string, serial: string): Cause[] {
  const causes: Cause[] = [];
  if (serial === '') return causes;
  if (!isPlainText(serial))
    causes.push(
      invalid(`${at} must be made up of the following characters [A-Za-z0-9_.+-], if specified`, `${at}.serial`),
    );
  if ([...serial].length > MAX_SERIAL)
    causes.push(invalid(`${at} must be less than or equal to ${MAX_SERIAL} in length, if specified`, `${at}.serial`));
  return causes;
}

function modeCauses(field: string, index: number, disk: JsonObject): Cause[] {
  const at = `${field}[${index}]`;
  const [cache, io, policy] = ['cache', 'io', 'errorPolicy'].map((name) => textAt(disk, name));
  const causes: Cause[] = [];
  if (cache !== undefined && !CACHES.includes(cache))
    causes.push(invalid(`${at}.cache has invalid value ${cache}`, `${at}.cache`));
  if (io !== undefined && !IO_MODES.includes(io)) {
    const text = `Disk IO mode for ${field} is not supported. Supported modes are: native, threads.`;
    causes.push(notSupported(text, `${twice(field, index)}.io`));
  }
  if (isSet(disk, 'errorPolicy') && !ERROR_POLICIES.includes(policy ?? ''))
    causes.push(invalid(`${at}.errorPolicy has invalid value "${policy ?? ''}"`, `${at}.errorPolicy`));
  return causes;
}

function blockSizeCauses(field: string, blockSize: JsonObject | undefined, bus: string): Cause[] {
  const custom = objectAt(blockSize, 'custom');
  if (blockSize === undefined || custom === undefined) return [];
  if (isOn(blockSize['matchVolume']))
    return [invalid("Block size matching can't be enabled together with a custom value", field)];
  const [logical, physical] = [numberAt(custom, 'logical'), numberAt(custom, 'physical')];
  const granularity = numberAt(custom, 'discardGranularity');
  const at = `${field}.custom`;
  if (logical > physical) {
    const text = `Logical size ${logical} must be the same or less than the physical size of ${physical}`;
    return [invalid(text, `${at}.logical`)];
  }
  // Emulated SATA controllers support no other size.
  if (bus === 'sata' && logical !== MIN_BLOCK)
    return [invalid(`Logical size ${logical} must be ${MIN_BLOCK} for SATA devices`, `${at}.logical`)];
  if (isSet(custom, 'discardGranularity') && logical !== 0 && granularity % logical !== 0) {
    const text = `Discard granularity ${granularity} must be multiples of logical size ${logical}`;
    return [invalid(text, `${at}.discardGranularity`)];
  }
  return [...sizeCauses(`${at}.logical`, logical), ...sizeCauses(`${at}.physical`, physical)];
}

function sizeCauses(at: string, size: number): Cause[] {
  if (size < MIN_BLOCK)
    return [invalid(`Provided size of ${size} is less than the supported minimum size of ${MIN_BLOCK}`, at)];
  if (size > MAX_BLOCK)
    return [invalid(`Provided size of ${size} is greater than the supported maximum size of ${MAX_BLOCK}`, at)];
  return Number.isInteger(Math.log2(size)) ? [] : [invalid(`Provided size of ${size} is not a power of 2`, at)];
}
