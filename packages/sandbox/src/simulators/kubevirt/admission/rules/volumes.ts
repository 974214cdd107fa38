/** Volumes: exactly one source each. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, notFound, required, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { pathCauses } from './absolute-path.ts';
import { amountOf, devicesOf, isZero } from './amounts.ts';
import { cloudInitCauses } from './cloud-init.ts';

const SOURCES = [
  'persistentVolumeClaim',
  'sysprep',
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'containerDisk',
  'containerPath',
  'ephemeral',
  'emptyDisk',
  'hostDisk',
  'dataVolume',
  'configMap',
  'secret',
  'downwardAPI',
  'serviceAccount',
  'downwardMetrics',
  'memoryDump',
];
/** Sources of which a VM may have only one volume. */
const SINGLE: readonly (readonly [string, string])[] = [
  ['serviceAccount', 'serviceAccount volume'],
  ['downwardMetrics', 'downwardMetric volume'],
  ['memoryDump', 'memory dump volume'],
];
/** The required name of each source. */
const NAMED: readonly (readonly [string, string])[] = [
  ['configMap', 'name'],
  ['secret', 'secretName'],
  ['serviceAccount', 'serviceAccountName'],
];

/** @param field The path of the list. */
export function volumeCauses(field: string, volumes: readonly JsonObject[], config: ClusterConfig): Cause[] {
  const first = new Map<string, number>();
  const each = volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`;
    const name = textAt(volume, 'name');
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    const same =
      other === undefined ? [] : [invalid(`${at} and ${field}[${other}] must not have the same Name.`, `${at}.name`)];
    return [...same, ...sourceCauses(at, volume), ...cloudInitCauses(at, volume), ...contentCauses(at, volume, config)];
  });
  const single = SINGLE.flatMap(([source, called]) => {
    const count = volumes.filter((volume) => isSet(volume, source)).length;
    return count > 1 ? [invalid(`${field} must have max one ${called} set`, field)] : [];
  });
  return [...each, ...single];
}

function sourceCauses(at: string, volume: JsonObject): Cause[] {
  const causes: Cause[] = [];
  if (isSet(volume, 'dataVolume') && textAt(objectAt(volume, 'dataVolume'), 'name') === '')
    causes.push(required("DataVolume 'name' must be set", `${at}.name`));
  if (SOURCES.filter((source) => isSet(volume, source)).length !== 1)
    causes.push(invalid(`${at} must have exactly one source type set`, at));
  return causes;
}

function contentCauses(at: string, volume: JsonObject, config: ClusterConfig): Cause[] {
  const causes: Cause[] = [];
  if (isSet(volume, 'downwardMetrics') && !config.featureGates.has('DownwardMetrics')) {
    const text = 'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.';
    causes.push(invalid(text, at));
  }
  causes.push(...hostDiskCauses(at, objectAt(volume, 'hostDisk'), config));
  for (const [source, name] of NAMED) {
    const field = `${at}.${source}.${name}`;
    if (isSet(volume, source) && textAt(objectAt(volume, source), name) === '')
      causes.push(invalid(`${field} is a required field`, field));
  }
  return causes;
}

function hostDiskCauses(at: string, hostDisk: JsonObject | undefined, config: ClusterConfig): Cause[] {
  if (hostDisk === undefined) return [];
  const causes: Cause[] = [];
  const type = textAt(hostDisk, 'type');
  if (!config.featureGates.has('HostDisk')) causes.push(invalid('HostDisk feature gate is not enabled', at));
  if (textAt(hostDisk, 'path') === '')
    causes.push(notFound(`${at}.hostDisk.path is required for hostDisk volume`, `${at}.hostDisk.path`));
  if (type !== 'Disk' && type !== 'DiskOrCreate') {
    const text = `${at}.hostDisk.type has invalid value '${type}', allowed are 'Disk' or 'DiskOrCreate'`;
    causes.push(invalid(text, `${at}.hostDisk.type`));
  }
  if (type === 'Disk' && !isZero(amountOf(hostDisk['capacity']))) {
    const text = `${at}.hostDisk.capacity is allowed to pass only with ${at}.hostDisk.type equal to 'DiskOrCreate'`;
    causes.push(invalid(text, `${at}.hostDisk.capacity`));
  }
  return causes;
}

export function containerDiskCauses(field: string, spec: JsonObject): Cause[] {
  return listAt(spec, 'volumes').flatMap((volume, index) => {
    const path = textAt(objectAt(volume, 'containerDisk'), 'path');
    return path === '' ? [] : pathCauses(`${field}.volumes[${index}].containerDisk`, path);
  });
}

/** Checked for a VMI only: the volumes of a VM get their disks when the VMI is created. */
export function unusedVolumeCauses(field: string, spec: JsonObject): Cause[] {
  const devices = devicesOf(spec);
  const used = new Set(
    [...listAt(devices, 'disks'), ...listAt(devices, 'filesystems')].map((device) => textAt(device, 'name')),
  );
  return listAt(spec, 'volumes').flatMap((volume, index) => {
    const name = textAt(volume, 'name');
    if (isSet(volume, 'memoryDump') || used.has(name)) return [];
    const at = `${field}.domain.volumes[${index}].name`;
    return [invalid(`${at} '${name}' not found.`, at)];
  });
}
