/** Hotplug and unplug of volumes, as a change of the lists in a VM's or VMI's spec. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { isObject, type JsonObject } from '../../../../values/json.ts';
import type { VmiSpec, Volume } from '../../objects.ts';
import { badRequest } from '../refusals.ts';

export type VolumeChange =
  | { readonly add: string; readonly disk: JsonObject; readonly source: JsonObject }
  | { readonly remove: string };

/** `additionOf` throws if a required field is missing. */
export function additionOf(options: JsonObject): VolumeChange {
  const name = options['name'];
  if (typeof name !== 'string' || name === '') throw badRequest('AddVolumeOptions requires name to be set');
  if (!isObject(options['disk'])) throw badRequest('AddVolumeOptions requires disk to not be nil');
  if (!isObject(options['volumeSource'])) throw badRequest('AddVolumeOptions requires VolumeSource to not be nil');
  return { add: name, disk: options['disk'], source: options['volumeSource'] };
}

export function removalOf(options: JsonObject): VolumeChange {
  const name = options['name'];
  if (typeof name !== 'string' || name === '') throw badRequest('RemoveVolumeOptions requires name to be set');
  return { remove: name };
}

/** `obstacle` returns why the change is not possible, or undefined. */
export function obstacle(volumes: readonly Volume[], change: VolumeChange): string | undefined {
  if ('add' in change) {
    const source = sourceName(change.source);
    for (const volume of volumes) {
      if (volume.name === change.add)
        return `Unable to add volume [${change.add}] because volume with that name already exists`;
      if (isFrom(volume, source)) return `Unable to add volume source [${source}] because it already exists`;
    }
    return undefined;
  }
  const found = volumes.find((volume) => volume.name === change.remove || isFrom(volume, change.remove));
  if (found === undefined) return `Unable to remove volume [${change.remove}] because it does not exist`;
  return isHotpluggable(found) ? undefined : `Unable to remove volume [${found.name}] because it is not hotpluggable`;
}

const isFrom = ({ dataVolume, persistentVolumeClaim }: Volume, source: string): boolean =>
  dataVolume?.name === source || persistentVolumeClaim?.claimName === source;

const isHotpluggable = ({ dataVolume, persistentVolumeClaim }: Volume): boolean =>
  dataVolume?.hotpluggable === true || persistentVolumeClaim?.hotpluggable === true;

function sourceName({ dataVolume, persistentVolumeClaim }: JsonObject): string {
  const name = isObject(dataVolume)
    ? dataVolume['name']
    : isObject(persistentVolumeClaim)
      ? persistentVolumeClaim['claimName']
      : '';
  return typeof name === 'string' ? name : '';
}

/** `volumePatch` replaces both lists as a whole, if they are still as they were read. */
export function volumePatch(prefix: string, spec: VmiSpec, change: VolumeChange): readonly JsonPatchOperation[] {
  const volumes = spec.volumes;
  const devices = spec.domain['devices'];
  const disks = isObject(devices) && Array.isArray(devices['disks']) ? (devices['disks'] as JsonObject[]) : undefined;
  const at = { volumes: `${prefix}/spec/volumes`, disks: `${prefix}/spec/domain/devices/disks` };
  return [
    { op: 'test', path: at.volumes, value: volumes ?? null },
    { op: 'test', path: at.disks, value: disks ?? null },
    replaced(at.volumes, volumes, 'add' in change ? volumeOf(change.add, change.source) : undefined, change),
    replaced(at.disks, disks, 'add' in change ? { ...change.disk, name: change.add } : undefined, change),
  ];
}

function replaced(
  path: string,
  list: readonly { readonly name?: unknown }[] | undefined,
  added: object | undefined,
  change: VolumeChange,
): JsonPatchOperation {
  const value = 'add' in change ? [...(list ?? []), added] : (list ?? []).filter(({ name }) => name !== change.remove);
  return { op: (list ?? []).length > 0 ? 'replace' : 'add', path, value };
}

function volumeOf(name: string, { dataVolume, persistentVolumeClaim }: JsonObject): JsonObject {
  if (isObject(persistentVolumeClaim))
    return { name, persistentVolumeClaim: { ...persistentVolumeClaim, hotpluggable: true } };
  if (isObject(dataVolume)) return { name, dataVolume: { ...dataVolume, hotpluggable: true } };
  return { name };
}
