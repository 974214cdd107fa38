/**
 * Whether everything that we applied is still ours. Whoever changes a field that we applied takes it over from us in managedFields, so as long as our
 * entry there covers what we want, nothing of it was touched: no schema and no comparison of values that webhooks have filled in is needed.
 */
import type { Projection } from '../cache/informer.ts';
import type { KubeObject } from '../object.ts';
import { isJsonObject, type JsonObject } from './merge-patch.ts';

/** metadata of which nothing is ever owned. */
const unownedMetadata = new Set(['name', 'namespace', 'uid', 'resourceVersion', 'managedFields']);

/** True only where managedFields are there and say so; a projection without them says false. */
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
 * What the cache of a controller's children keeps: all but what others say about fields in managedFields. Caches drop those as a rule; with our own
 * entry a child that others have changed elsewhere, or that was applied before a restart, is not applied again.
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

/** `set` is a node of fieldsV1: `{}` for a leaf or an atomic value, else `f:field`, `k:{"key":"value"}` and `v:value` below. */
function covers(set: unknown, value: unknown): boolean {
  // A null is no value: the server drops it, and nobody owns it.
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
