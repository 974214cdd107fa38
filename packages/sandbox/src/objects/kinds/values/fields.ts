/** Reads and sets fields of decoded objects; absent, null and empty count as the Go zero value. */
import type { Json, JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';

export function objectAt(parent: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = parent?.[key];
  return isObject(value) ? value : undefined;
}

/** `ensureObject` returns the object at `key`, created when it is absent. */
export function ensureObject(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  if (isObject(value)) return value;
  const made: JsonObject = {};
  parent[key] = made;
  return made;
}

export function listAt(parent: JsonObject | undefined, key: string): JsonObject[] {
  const value = parent?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsAt(parent: JsonObject | undefined, key: string): string[] {
  const value = parent?.[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function textAt(parent: JsonObject | undefined, key: string): string {
  const value = parent?.[key];
  return typeof value === 'string' ? value : '';
}

/** `numberAt` returns the number at `key`; 0 when it is absent. */
export function numberAt(parent: JsonObject | undefined, key: string): number {
  const value = parent?.[key];
  return typeof value === 'number' ? value : 0;
}

/** `textMapAt` returns a map of strings, such as labels or a resource list. */
export function textMapAt(parent: JsonObject | undefined, key: string): { [key: string]: string } {
  const value = parent?.[key];
  return isObject(value) ? (value as { [key: string]: string }) : {};
}

/** `valueAt` returns the map's own value for a client's key; inherited properties such as `constructor` are not returned. */
export function valueAt<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export const isSet = (parent: JsonObject | undefined, key: string): boolean =>
  parent?.[key] !== undefined && parent[key] !== null;

/**
 * Sets the default of an absent field. A decoded object contains an empty string only where Go has a pointer to it, and
 * then the string counts as present.
 */
export function setDefault(parent: JsonObject, key: string, value: Json): void {
  const given = parent[key];
  if (given === undefined || given === null) parent[key] = value;
}

/** `copyField` copies the other object's field, or deletes the field when the other has none. */
export function copyField(into: JsonObject, from: JsonObject, key: string): void {
  if (from[key] === undefined) delete into[key];
  else into[key] = from[key];
}

/** Go prints maps sorted by key. */
export function sortedByKey(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** `now` is the current time in the format of metav1.Time. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
