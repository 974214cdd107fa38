/** The directives of a strategic merge patch. */
import { errors } from '../../server/api/status.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';

export const patchDirective = '$patch';
const retainKeysDirective = '$retainKeys';
const deleteListPrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

export const isOrderList = (key: string): boolean => key.startsWith(orderPrefix);
export const isDeleteList = (key: string): boolean => key.startsWith(deleteListPrefix);

const badRetainKeys = (): Error => errors.badRequest('invalid patch format of retainKeys');
const badOrderList = (): Error => errors.badRequest('invalid patch format of setElementOrder list');

/** The list that `$setElementOrder/<list>` or `$deleteFromPrimitiveList/<list>` refers to. */
export function listOf(key: string): string {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? key : key.slice(0, slash);
  if (slash >= 0 && (prefix === orderPrefix || prefix === deleteListPrefix)) return key.slice(slash + 1);
  throw isOrderList(key) ? badOrderList() : errors.badRequest('invalid patch format of primitive list');
}

/**
 * Converts a value for a field that did not exist before, in place: removes null fields and everything with `$patch`.
 */
export function asNewValue(value: Json): Json | undefined {
  dropNulls(value);
  return withoutDirectives(value);
}

function dropNulls(value: Json): void {
  if (Array.isArray(value)) return value.forEach(dropNulls);
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined) delete value[key];
    else dropNulls(item);
  }
}

export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (patchDirective in value) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const kept = item === undefined ? undefined : withoutDirectives(item);
    if (kept === undefined) delete value[key];
    else value[key] = kept;
  }
  return value;
}

/** `applyRetainKeys` keeps in `live` only the fields that `$retainKeys` lists, in place; it must list every field of the patch. */
export function applyRetainKeys(live: JsonObject, patch: JsonObject): void {
  const names = patch[retainKeysDirective];
  if (names === undefined) return;
  delete patch[retainKeysDirective];
  if (!Array.isArray(names)) throw badRetainKeys();
  const kept = new Set<Json>(names);
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null && !isDeleteList(key) && !isOrderList(key) && !kept.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(live)) if (!kept.has(key)) delete live[key];
}
