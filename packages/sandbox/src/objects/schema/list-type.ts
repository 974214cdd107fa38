/** Lists of type `set` and `map` must not contain an item, or its keys, twice. */
import { fieldError } from '../../server/api/status.ts';
import type { FieldError } from '../../server/api/status.ts';
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { goJson, sortKeys } from './go/go-text.ts';
import type { Schema } from './schema.ts';
import { visitInside } from './subschemas.ts';

export function validateLists(schema: Schema, value: Json, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  visit(errors, schema, value, path);
  return errors;
}

function visit(errors: FieldError[], schema: Schema, value: Json, path: string): void {
  if (Array.isArray(value)) listErrors(errors, schema, value, path);
  visitInside(schema, value, path, (sub, item, at) => visit(errors, sub, item, at));
}

function listErrors(errors: FieldError[], schema: Schema, list: readonly Json[], path: string): void {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') {
    for (const i of repeated(list)) errors.push(fieldError.duplicate(`${path}[${i}]`, sortKeys(list[i] ?? null)));
  } else if (type === 'map') mapErrors(errors, schema['x-kubernetes-list-map-keys'] ?? [], list, path);
}

function mapErrors(errors: FieldError[], keys: readonly string[], list: readonly Json[], path: string): void {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong !== -1) {
    const text = 'must be an object for an array of list-type map';
    errors.push(fieldError.invalid(`${path}[${wrong}]`, sortKeys(list[wrong] ?? null), text));
    return;
  }
  if (list.length < 2) return;
  const ids = list.map((item) => keysOf(item, keys));
  for (const i of repeated(ids)) errors.push(fieldError.duplicate(`${path}[${i}]`, sortKeys(ids[i] ?? {})));
}

function keysOf(item: Json, keys: readonly string[]): JsonObject {
  const id: JsonObject = {};
  if (!isObject(item)) return id;
  for (const key of keys) if (item[key] !== undefined) id[key] = item[key];
  return id;
}

/** The second occurrence of each repeated value. */
function repeated(list: readonly Json[]): number[] {
  const seen = new Map<string, number>();
  const second: number[] = [];
  list.forEach((item, i) => {
    const key = goJson(sortKeys(item));
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times === 2) second.push(i);
  });
  return second;
}
