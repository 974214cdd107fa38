/**
 * Renders the spec of the PVC that a DataVolume asks for: given in full (`pvc`), or completed from what is known about
 * its storage class (`storage`).
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { DataVolume, PersistentVolumeClaim } from '../../kubevirt/objects.ts';
import { bytesOf, overheadOf, SMALLEST, withOverhead } from './claim-size.ts';
import { chooseClass, claimPropertySets, type ClaimProperties } from '../storage-profile.ts';

export interface ClaimGround {
  readonly classes: readonly Unstructured[];
  readonly profile: (storageClass: string) => Unstructured | undefined;
  readonly config: Unstructured | undefined;
  /** The PVC that is cloned, if it is known. */
  readonly source?: PersistentVolumeClaim | undefined;
  readonly isClone: boolean;
}

export type RenderedClaim =
  | { readonly spec: JsonObject; readonly storageClass: Unstructured | undefined }
  /** Why there can be no PVC, and the text of an additional warning event. */
  | { readonly problem: string; readonly warning?: string };

export const NO_CLASS = 'PVC spec is missing accessMode and no storageClass to choose profile';

const copied = [
  'accessModes',
  'selector',
  'resources',
  'volumeName',
  'storageClassName',
  'volumeMode',
  'dataSource',
  'dataSourceRef',
];

export function renderClaim({ spec }: DataVolume, ground: ClaimGround): RenderedClaim {
  const literal = objectAt(spec, 'pvc');
  if (literal !== undefined) {
    const storageClass = chooseClass(ground.classes, { name: textAt(literal, 'storageClassName'), forMachines: false });
    return { spec: literal, storageClass };
  }
  const storage = objectAt(spec, 'storage');
  if (storage === undefined) return { problem: 'datavolume one of {pvc, storage} field is required' };
  const forMachines = textAt(spec, 'contentType') !== 'archive';
  return completed(storage, forMachines, ground);
}

function completed(storage: JsonObject, forMachines: boolean, ground: ClaimGround): RenderedClaim {
  const asked: JsonObject = {};
  for (const field of copied) if (storage[field] !== undefined) asked[field] = storage[field];
  if (!forMachines) {
    if (textAt(asked, 'volumeMode') === 'Block') return refusal('ContentType Archive cannot have block volumeMode');
    asked['volumeMode'] = 'Filesystem';
  }
  const storageClass = chooseClass(ground.classes, { name: textAt(asked, 'storageClassName'), forMachines });
  const modes = modesOf(asked, storageClass, ground);
  if ('problem' in modes) return modes;
  const spec: JsonObject = {
    ...asked,
    ...modes,
    ...(storageClass === undefined ? {} : { storageClassName: storageClass.metadata.name ?? '' }),
  };
  return sized(spec, storageClass, ground);
}

const refusal = (problem: string, warning = problem): RenderedClaim & { readonly problem: string } => ({
  problem,
  warning,
});

type Modes = { accessModes: string[]; volumeMode?: string };

function modesOf(
  asked: JsonObject,
  storageClass: Unstructured | undefined,
  { profile }: ClaimGround,
): Modes | (RenderedClaim & { readonly problem: string }) {
  const accessModes = textsAt(asked, 'accessModes');
  const volumeMode = textAt(asked, 'volumeMode');
  if (storageClass === undefined) return accessModes.length === 0 ? refusal(NO_CLASS) : modes(accessModes, volumeMode);
  const name = storageClass.metadata.name ?? '';
  const sets = claimPropertySets(storageClass, profile(name));
  if (accessModes.length > 0) return modes(accessModes, volumeMode || (matching(sets, accessModes)?.volumeMode ?? ''));
  const set = volumeMode === '' ? sets[0] : sets.find((one) => one.volumeMode === volumeMode);
  if (set !== undefined) return modes([...set.accessModes], volumeMode || set.volumeMode);
  const what = volumeMode === '' ? 'accessMode and volumeMode, cannot' : 'accessMode and cannot';
  const problem =
    volumeMode === '' || sets.length === 0
      ? `no accessMode specified in StorageProfile ${name}`
      : `no accessMode specified in StorageProfile ${name} for volumeMode ${volumeMode}`;
  return refusal(problem, `Spec is missing ${what} get access mode from StorageProfile ${name}`);
}

const modes = (accessModes: string[], volumeMode: string): Modes => ({
  accessModes,
  ...(volumeMode === '' ? {} : { volumeMode }),
});

function matching(sets: readonly ClaimProperties[], accessModes: readonly string[]): ClaimProperties | undefined {
  return sets.find((set) => set.accessModes.some((mode) => accessModes.includes(mode)));
}

function sized(spec: JsonObject, storageClass: Unstructured | undefined, ground: ClaimGround): RenderedClaim {
  const resources = objectAt(spec, 'resources');
  const requests = objectAt(resources, 'requests');
  const asked = bytesOf(requests?.['storage']);
  const withSize = (storage: string): RenderedClaim => ({
    spec: { ...spec, resources: { ...resources, requests: { ...requests, storage } } },
    storageClass,
  });
  if (asked === undefined || asked === 0n) {
    if (!ground.isClone) return { problem: 'PVC Spec is not valid - missing storage size' };
    const size = sizeOfSource(ground.source);
    return size === undefined ? { problem: 'PVC Spec is not valid - missing storage size' } : withSize(size);
  }
  if (asked < SMALLEST) return { problem: 'PVC Spec is not valid - storage size should be at least 1MiB' };
  if (textAt(spec, 'volumeMode') === 'Block') return withSize(String(asked));
  return withSize(String(withOverhead(asked, overheadOf(ground.config, storageClass?.metadata.name))));
}

/** A clone without a size gets the size of its source. */
function sizeOfSource(source: PersistentVolumeClaim | undefined): string | undefined {
  const asked = textAt(objectAt(objectAt(source?.spec, 'resources'), 'requests'), 'storage');
  return asked === '' ? undefined : asked;
}
