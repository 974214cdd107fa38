/**
 * Decodes `metadata` of custom resources as Go decodes ObjectMeta, at the root and in embedded objects: unknown fields
 * are dropped, values of the wrong type are rejected.
 */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { decodeObjectMeta, salvageObjectMeta } from '../schema/decode-meta.ts';
import { containsEmbedded } from '../schema/embedded.ts';
import { byCodeUnits, sortKeys } from '../schema/go/go-text.ts';
import type { Schema } from '../schema/schema.ts';

export interface CoerceOptions {
  /** The value is a complete object, whatever its schema says. */
  readonly resourceRoot?: boolean;
  /** For stored objects: drops what cannot be decoded instead of rejecting it. */
  readonly dropInvalid?: boolean;
  readonly path?: string;
}

export type Coerced =
  | { readonly error: FieldError }
  | { readonly error?: undefined; readonly unknown: readonly string[] };

/** `coerceMetadata` changes the value in place; returns the paths of the dropped metadata fields. */
export function coerceMetadata(value: Json, schema: Schema, options: CoerceOptions = {}): Coerced {
  if (options.resourceRoot !== true && !containsEmbedded(schema)) return { unknown: [] };
  const unknown: string[] = [];
  const error = coerce(unknown, value, schema, options.path ?? '', options, options.resourceRoot === true);
  return error === undefined ? { unknown: unknown.toSorted(byCodeUnits) } : { error };
}

const child = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function coerce(
  unknown: string[],
  value: Json,
  schema: Schema,
  path: string,
  options: CoerceOptions,
  root: boolean,
): FieldError | undefined {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items === undefined) return undefined;
    for (const [i, item] of value.entries()) {
      const error = coerce(unknown, item, items, `${path}[${i}]`, options, false);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const resource = root || schema['x-kubernetes-embedded-resource'] === true;
  const error = resource ? coerceResource(unknown, value, path, options) : undefined;
  return error ?? coerceFields(unknown, value, schema, path, options);
}

function coerceFields(
  unknown: string[],
  value: JsonObject,
  schema: Schema,
  path: string,
  options: CoerceOptions,
): FieldError | undefined {
  const { properties, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object' || item === null) continue;
    const known = properties !== undefined && Object.hasOwn(properties, key);
    const sub = known ? properties[key] : typeof additionalProperties === 'object' ? additionalProperties : undefined;
    if (sub === undefined) continue;
    const at = known ? child(path, key) : `${path}[${key}]`;
    const error = coerce(unknown, item, sub, at, options, false);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceResource(
  unknown: string[],
  value: JsonObject,
  path: string,
  options: CoerceOptions,
): FieldError | undefined {
  for (const key of ['apiVersion', 'kind']) {
    const given = value[key];
    if (given === undefined || typeof given === 'string') continue;
    if (options.dropInvalid !== true) return fieldError.invalid(child(path, key), sortKeys(given), 'must be a string');
    delete value[key];
  }
  const metadata = value['metadata'];
  if (metadata === undefined) return undefined;
  const at = child(path, 'metadata');
  const decoded = decodeObjectMeta(metadata);
  if (decoded.error === undefined) {
    value['metadata'] = decoded.meta;
    unknown.push(...decoded.unknown.map((field) => `${at}.${field}`));
  } else if (options.dropInvalid !== true) return fieldError.invalid(at, sortKeys(metadata), decoded.error);
  else if (isObject(metadata)) value['metadata'] = salvageObjectMeta(metadata);
  return undefined;
}
