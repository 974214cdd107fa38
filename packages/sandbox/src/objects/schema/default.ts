/** Fills in a schema's defaults in place, and drops the nulls that Kubernetes treats as absent. */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import type { Schema } from './schema.ts';
import { somewhere } from './subschemas.ts';

/** A default of null means no default. */
const defaultOf = (schema: Schema): Json | undefined => schema.default ?? undefined;

/** `hasDefaults` tells whether there is any default at or below a schema; most parts of a schema have none. */
export const hasDefaults: (schema: Schema) => boolean = somewhere((schema) => defaultOf(schema) !== undefined);

const isUnwantedNull = (value: Json | undefined, schema: Schema): boolean => value === null && schema.nullable !== true;

export function applyDefaults(value: Json, schema: Schema): void {
  if (!hasDefaults(schema)) return;
  if (Array.isArray(value)) defaultItems(value, schema.items);
  else if (isObject(value)) defaultFields(value, schema);
}

function defaultItems(list: Json[], items: Schema | undefined): void {
  if (items === undefined) return;
  list.forEach((item, i) => {
    const given = isUnwantedNull(item, items) ? copyOfDefault(items, null) : item;
    list[i] = given;
    applyDefaults(given, items);
  });
}

function defaultFields(value: JsonObject, schema: Schema): void {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    for (const key of Object.keys(properties)) {
      const sub = properties[key];
      if (sub === undefined || defaultOf(sub) === undefined) continue;
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      if (given === undefined || isUnwantedNull(given, sub)) value[key] = copyOfDefault(sub, null);
    }
  }
  for (const key of Object.keys(value)) {
    let sub: Schema | undefined;
    if (properties !== undefined && Object.hasOwn(properties, key)) sub = properties[key];
    else if (typeof additionalProperties === 'object') {
      sub = additionalProperties;
      if (isUnwantedNull(value[key], sub)) value[key] = copyOfDefault(sub, null);
    }
    const item = value[key];
    if (sub !== undefined && item !== undefined) applyDefaults(item, sub);
  }
}

function copyOfDefault(schema: Schema, otherwise: Json): Json {
  const value = defaultOf(schema);
  if (value === undefined) return otherwise;
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** `dropNulls` drops fields that are null, not nullable and without a default, before defaults are filled in. */
export function dropNulls(value: Json, schema: Schema | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) dropNulls(item, schema?.items);
    return;
  }
  if (!isObject(value) || schema === undefined) return;
  const { properties, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object') continue;
    const sub =
      properties !== undefined && Object.hasOwn(properties, key)
        ? properties[key]
        : typeof additionalProperties === 'object'
          ? additionalProperties
          : undefined;
    if (sub === undefined) continue;
    if (item !== null) dropNulls(item, sub);
    else if (sub.nullable !== true && defaultOf(sub) === undefined) delete value[key];
  }
}
