/** Reading and filling fields of objects that have been decoded: absent, null and empty count as the Go zero value. */
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';

export function objectAt(parent: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = parent?.[key];
  return isObject(value) ? value : undefined;
}

/** The object at `key`, made when it is not there. */
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

/** The number at `key`, 0 when there is none. */
export function numberAt(parent: JsonObject | undefined, key: string): number {
  const value = parent?.[key];
  return typeof value === 'number' ? value : 0;
}

/** A map of strings, such as labels or a resource list. */
export function textMapAt(parent: JsonObject | undefined, key: string): { [key: string]: string } {
  const value = parent?.[key];
  return isObject(value) ? (value as { [key: string]: string }) : {};
}

/** What a map holds under a key that a user chose: never what every object inherits (`constructor`). */
export function valueAt<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export const isSet = (parent: JsonObject | undefined, key: string): boolean =>
  parent?.[key] !== undefined && parent[key] !== null;

/**
 * Writes a default for a field that was not given. An empty text is only left in a decoded object where Go has a pointer
 * to it, and then it is an answer.
 */
export function setDefault(parent: JsonObject, key: string, value: Json): void {
  const given = parent[key];
  if (given === undefined || given === null) parent[key] = value;
}

/** Takes the other object's field over, or drops the field. */
export function copyField(into: JsonObject, from: JsonObject, key: string): void {
  if (from[key] === undefined) delete into[key];
  else into[key] = from[key];
}

/** Go prints maps by key. */
export function sortedByKey(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The time of now as metav1.Time writes it. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
