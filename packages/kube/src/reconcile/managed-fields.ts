/**
 * Tells whether everything that we applied is still ours. A writer that changes an applied field takes it over from us
 * in managedFields. So as long as our entry there covers the desired state, it is unchanged: no schema, and no
 * comparison with defaulted values, is needed.
 */
import type { Projection } from '../informer/informer.ts';
import type { KubeObject } from '../object.ts';
import { isJsonObject, type JsonObject } from './merge-patch.ts';

/** Fields of metadata that no manager owns. */
const unownedMetadata = new Set(['name', 'namespace', 'uid', 'resourceVersion', 'managedFields']);

/** `ownsAll` is true only if managedFields are present and prove it; false for a projection without them. */
export function ownsAll(live: KubeObject, applied: KubeObject, fieldManager: string): boolean {
  const fields = appliedFields(live, fieldManager);
  if (fields === undefined) return false;
  return Object.entries(applied).every(([field, value]) => {
    if (field === 'apiVersion' || field === 'kind') return true;
    const set = fields[`f:${field}`];
    return field === 'metadata' ? coversMetadata(set, value) : covers(set, value);
  });
}

/**
 `childOf` is * The projection for caches of a controller's children: it keeps everything but the managedFields of other managers.
 * Most caches drop managedFields; with our own entry, a child that others changed elsewhere, or that was applied before
 * a restart, need not be applied again.
 */
export function childOf<T extends KubeObject>(fieldManager: string): Projection<T, T> {
  return {
    name: `child of ${fieldManager}`,
    project: (object) => {
      const managedFields = ownManagedFields(object, fieldManager);
      return { ...object, metadata: { ...object.metadata, managedFields } };
    },
  };
}

/** For projections that keep less. */
export function ownManagedFields({ metadata }: KubeObject, fieldManager: string): readonly unknown[] {
  return (metadata.managedFields ?? []).filter((entry) => isOwnEntry(entry, fieldManager));
}

function appliedFields(live: KubeObject, fieldManager: string): JsonObject | undefined {
  const entry = ownManagedFields(live, fieldManager)[0];
  const fields = isJsonObject(entry) ? entry['fieldsV1'] : undefined;
  return isJsonObject(fields) ? fields : undefined;
}

function isOwnEntry(entry: unknown, fieldManager: string): boolean {
  if (!isJsonObject(entry) || (entry['subresource'] ?? '') !== '') return false;
  return entry['manager'] === fieldManager && entry['operation'] === 'Apply';
}

function coversMetadata(set: unknown, metadata: unknown): boolean {
  if (!isJsonObject(metadata)) return false;
  const ownable = Object.entries(metadata).filter(([field]) => !unownedMetadata.has(field));
  return ownable.every(([field, value]) => covers(isJsonObject(set) ? set[`f:${field}`] : undefined, value));
}

/**
 * `set` is a node of fieldsV1: `{}` for a leaf or an atomic value, otherwise `f:field`, `k:{"key":"value"}` and
 * `v:value` below it.
 */
function covers(set: unknown, value: unknown): boolean {
  // A null is no value: the server drops it, so it has no owner.
  if (value === undefined || value === null) return true;
  if (!isJsonObject(set)) return false;
  if (Object.keys(set).length === 0) return true;
  if (Array.isArray(value)) return value.every((entry) => coversEntry(set, entry));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([field, nested]) => covers(set[`f:${field}`], nested));
}

/** An entry of a list that is a map or a set by its schema. */
function coversEntry(set: JsonObject, entry: unknown): boolean {
  if (!isJsonObject(entry)) return set[`v:${JSON.stringify(entry)}`] !== undefined;
  const found = Object.entries(set).find(([name]) => name.startsWith('k:') && isKeyOf(name.slice(2), entry));
  return found !== undefined && covers(found[1], entry);
}

function isKeyOf(text: string, entry: JsonObject): boolean {
  const key: unknown = JSON.parse(text);
  // A key field that we did not send has its default there (a port's protocol).
  return isJsonObject(key) && Object.entries(key).every(([field, value]) => (entry[field] ?? value) === value);
}
