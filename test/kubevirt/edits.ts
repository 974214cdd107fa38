/**
 * An agent's write, applied to the live object: it changes what the recorded write changed, and keeps everything else
 * as the controllers under test have left it. Conditions are merged by type, phase transitions are appended.
 */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { cloneJson, isObject, jsonEqual } from '../../packages/sandbox/src/values/json.ts';

/** Fields that only the server writes, or that a late event carried. */
const notWritten = new Set([
  'generation',
  'resourceVersion',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'finalizers',
]);

export function carriedOver(live: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const edited = cloneJson(live);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (notWritten.has(key) || jsonEqual(old, now)) continue;
    const value = edit(key, edited[key], old, now);
    if (value === undefined) delete edited[key];
    else edited[key] = value;
  }
  return edited;
}

function edit(key: string, live: Json | undefined, old: Json | undefined, now: Json | undefined): Json | undefined {
  if (now === undefined) return undefined;
  if (isObject(now)) return carriedOver(isObject(live) ? live : {}, isObject(old) ? old : {}, now);
  if (key === 'conditions') return byField('type', items(live), items(old), items(now));
  if (key === 'phaseTransitionTimestamps') return byField('phase', items(live), items(old), items(now));
  return cloneJson(now);
}

function items(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

/** The changed items in their places, new ones at the end, removed ones gone. */
function byField(field: string, live: JsonObject[], old: JsonObject[], now: JsonObject[]): Json[] {
  const find = (list: JsonObject[], item: JsonObject): JsonObject | undefined =>
    list.find((other) => other[field] === item[field]);
  const changed = now.filter((item) => !jsonEqual(find(old, item), item));
  const removed = old.filter((item) => find(now, item) === undefined);
  const kept = live.filter((item) => find(removed, item) === undefined);
  const added = changed.filter((item) => find(kept, item) === undefined);
  return [...kept.map((item) => find(changed, item) ?? item), ...added].map((item) => cloneJson(item));
}
