/** Drops fields that a structural schema does not contain, in place, and returns their paths. */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { byCodeUnits } from './go/go-text.ts';
import type { Schema } from './schema.ts';

export interface PruneOptions {
  /** The value is a complete object: its apiVersion, kind and metadata are kept whatever the schema says. */
  readonly resourceRoot?: boolean;
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export function prune(value: Json, schema: Schema, options: PruneOptions = {}): string[] {
  const dropped: string[] = [];
  pruneValue(dropped, value, schema, '', options.resourceRoot === true);
  return dropped.length > 1 ? dropped.toSorted(byCodeUnits) : dropped;
}

const child = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function pruneValue(dropped: string[], value: Json, schema: Schema | undefined, path: string, resource: boolean): void {
  if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) {
    keepUnknown(dropped, value, schema, path, resource);
  } else if (Array.isArray(value)) {
    value.forEach((item, i) => {
      if (typeof item === 'object' && item !== null) pruneValue(dropped, item, schema?.items, `${path}[${i}]`, false);
    });
  } else if (isObject(value)) pruneObject(dropped, value, schema, path, resource);
}

function pruneObject(
  dropped: string[],
  value: JsonObject,
  schema: Schema | undefined,
  path: string,
  resource: boolean,
): void {
  const embedded = resource || schema?.['x-kubernetes-embedded-resource'] === true;
  const properties = schema?.properties;
  const additional = schema?.additionalProperties;
  for (const key of Object.keys(value)) {
    if (embedded && metaFields.has(key)) continue;
    const item = value[key];
    if (properties !== undefined && Object.hasOwn(properties, key)) {
      if (typeof item === 'object' && item !== null) {
        pruneValue(dropped, item, properties[key], child(path, key), false);
      }
    } else if (additional !== undefined) {
      // `additionalProperties: true` keeps the field, but nothing inside it.
      if (typeof item === 'object' && item !== null) {
        pruneValue(dropped, item, typeof additional === 'object' ? additional : undefined, child(path, key), false);
      }
    } else {
      dropped.push(child(path, key));
      delete value[key];
    }
  }
}

/** Unknown fields are kept; known ones are pruned again, except inside lists. */
function keepUnknown(
  dropped: string[],
  value: Json,
  schema: Schema | undefined,
  path: string,
  resource: boolean,
): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, i) => keepUnknown(dropped, item, schema.items, `${path}[${i}]`, false));
    return;
  }
  if (!isObject(value)) return;
  const embedded = resource || schema['x-kubernetes-embedded-resource'] === true;
  const { properties, additionalProperties } = schema;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object' || item === null || (embedded && metaFields.has(key))) continue;
    if (properties !== undefined && Object.hasOwn(properties, key)) {
      pruneValue(dropped, item, properties[key], child(path, key), false);
    } else if (additionalProperties !== undefined) {
      const sub = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      pruneValue(dropped, item, sub, child(path, key), false);
    }
  }
}
