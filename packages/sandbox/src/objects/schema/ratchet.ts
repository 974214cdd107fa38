/**
 * Finds the stored item that corresponds to a new item of a list. Only lists of type `map` allow that; items of others
 * count as new.
 */
import { isObject, jsonEqual } from '../../values/json.ts';
import type { Json } from '../../values/json.ts';
import type { Schema } from './schema.ts';

export function correlateItems(schema: Schema, old: Json | undefined): ((item: Json) => Json | undefined) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || keys.length === 0) {
    return undefined;
  }
  const byKey = new Map<string, Json>();
  for (const item of old) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function keyOf(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  return JSON.stringify(keys.map((key) => item[key] ?? null));
}

/**
 * Equality for ratcheting: lists of type `map` are compared by keys regardless of order, and an object with a field
 * that is not in the schema counts as changed.
 */
export function unchanged(schema: Schema, value: Json, old: Json): boolean {
  if (Array.isArray(value)) return Array.isArray(old) && unchangedList(schema, value, old);
  if (!isObject(value) || !isObject(old)) return value === old;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const [child, before] = [value[key], old[key]];
    const sub = fieldSchema(schema, key);
    return sub !== undefined && child !== undefined && before !== undefined && unchanged(sub, child, before);
  });
}

function unchangedList(schema: Schema, value: Json[], old: Json[]): boolean {
  if (value.length !== old.length) return false;
  const oldItem = correlateItems(schema, old);
  const items = schema.items;
  if (oldItem === undefined || items === undefined) return jsonEqual(value, old);
  return value.every((item) => {
    const before = oldItem(item);
    return before !== undefined && before !== null && unchanged(items, item, before);
  });
}

function fieldSchema(schema: Schema, key: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
