/**
 * Strategic merge patch: the patch type of built-in kinds, in which lists are merged by the key in the schema. The
 * order of merged lists, the directives and the error texts are those of apimachinery's strategicpatch.
 */
import { errors } from '../../server/api/status.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson, isObject, own } from '../../values/json.ts';
import { goPrinted, goType } from '../schema/go/go-print.ts';
import type { Schema } from '../schema/schema.ts';
import {
  applyRetainKeys,
  asNewValue,
  isDeleteList,
  isOrderList,
  listOf,
  patchDirective,
  withoutDirectives,
} from './directives.ts';
import { orderElements } from './element-order.ts';
import { cannotUnmarshal, receivedType, unexpected } from './rejection.ts';
import { checkPatchOrder, elementKind, mergeList } from './strategic-list.ts';
import { listStrategy, objectStrategy } from './strategy.ts';

/** `readStrategicPatch` parses the body of a strategic merge patch: an object, or null for no change. */
export function readStrategicPatch(body: Json): JsonObject {
  if (body === null) return {};
  if (isObject(body)) return body;
  throw errors.badRequest(cannotUnmarshal(body, 'value of type map[string]interface {}'));
}

export interface StrategicResult {
  readonly object: JsonObject;
  /** The patch as Go prints it after the merge has consumed its directives, for quoting in a decoding error. */
  readonly patch: () => string;
}

/**
 * Merges the patch into a copy of the object. The arguments are not modified, and the result shares nothing with them.
 */
export function strategicMergePatch(object: JsonObject, patch: JsonObject, schema: Schema): StrategicResult {
  const rest = cloneJson(patch);
  const merged = mergeObject(cloneJson(object), rest, schema);
  return { object: merged, patch: () => goPrinted(rest) };
}

/** Merges in place; the caller must own both arguments. */
function mergeObject(live: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  const directive = patch[patchDirective];
  if (directive !== undefined) return directed(directive, patch);
  applyRetainKeys(live, patch);
  for (const key of Object.keys(patch)) if (isOrderList(key)) mergeOrderedList(live, patch, key, schema);
  for (const [key, change] of Object.entries(patch)) {
    if (change !== undefined) mergeField(live, key, change, schema);
  }
  return live;
}

function directed(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') {
    throw unexpected(`unknown patch type: ${goPrinted(directive)} in map: ${goPrinted(patch)}`);
  }
  delete patch[patchDirective];
  return patch;
}

function mergeField(live: JsonObject, patchKey: string, change: Json, schema: Schema): void {
  const deletes = isDeleteList(patchKey);
  const key = deletes ? listOf(patchKey) : patchKey;
  const current = own(live, key);
  if (change === null) delete live[key];
  else if (isObject(current) && isObject(change)) live[key] = mergeObjectField(current, key, change, schema);
  else if (Array.isArray(current) && Array.isArray(change)) {
    live[key] = mergeListField(current, key, change, schema, deletes);
  } else if (!deletes) assign(live, key, asNewValue(change));
  else if (current !== undefined && goType(current) === goType(change)) assign(live, key, withoutDirectives(change));
}

function assign(live: JsonObject, key: string, value: Json | undefined): void {
  if (value === undefined) delete live[key];
  else live[key] = value;
}

function mergeObjectField(live: JsonObject, key: string, patch: JsonObject, parent: Schema): JsonObject {
  const { strategy, schema } = objectStrategy(parent, key);
  return strategy === 'replace' ? patch : mergeObject(live, patch, schema);
}

function mergeListField(live: Json[], key: string, patch: Json[], parent: Schema, deletes: boolean): Json[] {
  const { strategy, mergeKey, schema } = listStrategy(parent, key);
  if (strategy !== 'merge' && !deletes) return patch;
  return mergeList(live, patch, mergeKey, deletes, (item, change) => mergeObject(item, change, schema));
}

/** Merges a list with its `$setElementOrder`, sorts it in that order, and removes it from the patch. */
function mergeOrderedList(live: JsonObject, patch: JsonObject, orderKey: string, schema: Schema): void {
  const order = asList(patch[orderKey]);
  delete patch[orderKey];
  const key = listOf(orderKey);
  const current = own(live, key) === undefined ? undefined : asList(live[key]);
  const changes = own(patch, key) === undefined ? undefined : asList(patch[key]);
  const { mergeKey } = listStrategy(schema, key);
  checkPatchOrder(changes ?? [], order, mergeKey);
  if (current === undefined && changes === undefined) return;
  const merged = mergedWith(current, changes, key, schema);
  elementKind(current ?? [], changes ?? []);
  live[key] = orderElements(merged, order, current ?? [], mergeKey);
  delete patch[key];
}

function mergedWith(current: Json[] | undefined, changes: Json[] | undefined, key: string, schema: Schema): Json[] {
  if (changes === undefined) return current ?? [];
  if (current === undefined) return asList(withoutDirectives(changes));
  return mergeListField(current, key, changes, schema, false);
}

function asList(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  throw unexpected(`expected a []interface {}, but received a ${receivedType(value)}`);
}
