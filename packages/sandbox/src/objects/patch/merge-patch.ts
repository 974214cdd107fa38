/**
 * JSON Merge Patch (RFC 7386) as the API server applies it. It differs from the RFC in lists: if a list replaces a
 * scalar, a list or nothing, null fields of the objects in it are dropped too.
 */
import { errors } from '../../server/api/status.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson, isObject } from '../../values/json.ts';
import type { PatchFieldValidation } from './rejection.ts';
import { cannotUnmarshal, unusableResult, withoutTypeMeta } from './rejection.ts';

/** `readMergePatch` parses the body of a merge patch, which must be an object. */
export function readMergePatch(body: Json, fieldValidation: PatchFieldValidation = 'Warn'): JsonObject {
  if (isObject(body)) return body;
  if (body !== null && fieldValidation !== 'Ignore') {
    throw errors.badRequest(`error decoding patch: ${cannotUnmarshal(body, 'value of type map[string]interface {}')}`);
  }
  if (Array.isArray(body)) throw unusableResult(JSON.stringify(withoutNulls(body)), withoutTypeMeta);
  throw errors.badRequest('Invalid JSON Patch');
}

/** `applyMergePatch` returns a copy of the object with the patch merged in; it shares nothing with the arguments. */
export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const copy = cloneJson(object);
  merge(copy, patch);
  return copy;
}

function merge(object: JsonObject, patch: JsonObject): void {
  for (const [key, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    const current = Object.hasOwn(object, key) ? object[key] : undefined;
    if (change === null) delete object[key];
    else if (!isObject(current)) object[key] = withoutNulls(change);
    else if (isObject(change)) merge(current, change);
    else object[key] = cloneJson(change);
  }
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== null && item !== undefined) kept[key] = withoutNulls(item);
  }
  return kept;
}
