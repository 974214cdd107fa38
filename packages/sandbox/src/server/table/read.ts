/** Reads fields of objects that a schema has already validated: an absent field reads as Go's zero value. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';

type Source = Json | undefined;

export function at(source: Source, ...path: string[]): Json | undefined {
  let value = source;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value ?? undefined;
}

export function textAt(source: Source, ...path: string[]): string {
  const value = at(source, ...path);
  return typeof value === 'string' ? value : '';
}

export function numberAt(source: Source, ...path: string[]): number {
  const value = at(source, ...path);
  return typeof value === 'number' ? value : 0;
}

export function listAt(source: Source, ...path: string[]): Json[] {
  const value = at(source, ...path);
  return Array.isArray(value) ? value : [];
}

export function mapAt(source: Source, ...path: string[]): JsonObject {
  const value = at(source, ...path);
  return isObject(value) ? value : {};
}

export const sizeAt = (source: Source, ...path: string[]): number => Object.keys(mapAt(source, ...path)).length;
