/** Replaces in an answer what differs between any two runs with the recordings' placeholders. */
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { isObject, jsonEqual } from '../../../packages/sandbox/src/values/json.ts';

import { imageHost } from './placeholders.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

export function normalised(value: Json, namespace: string): Json {
  if (Array.isArray(value)) return value.map((item) => normalised(item, namespace));
  if (typeof value === 'string') return normalisedText(value, namespace);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (item === undefined || key === 'managedFields') return [];
      return [[normalisedText(key, namespace), key === 'resourceVersion' ? '<rv>' : normalised(item, namespace)]];
    }),
  );
}

export function normalisedText(text: string, namespace: string): string {
  return text
    .replaceAll(namespace, 'ns1')
    .replaceAll(imageHost, '<image-host>')
    .replaceAll(/<uuid#\d+>|<uid:[^>]*>/g, '<uuid>')
    .replaceAll(uuid, '<uuid>')
    .replaceAll(/<time\+\d+s>/g, '<time>')
    .replaceAll(time, '<time>');
}

/** The merge patch that turns `from` into `to`; undefined if they are equal. */
export function mergePatchOf(from: Json | undefined, to: Json | undefined): Json | undefined {
  if (to === undefined) return null;
  if (!isObject(from) || !isObject(to)) return jsonEqual(from, to) ? undefined : to;
  const patch: JsonObject = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const change = mergePatchOf(from[key], to[key]);
    if (change !== undefined) patch[key] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Where two values differ, as `path: answered …, recorded …`. */
export function differencesOf(live: Json | undefined, recorded: Json | undefined, path = ''): string[] {
  if (isObject(live) && isObject(recorded)) {
    const keys = new Set([...Object.keys(live), ...Object.keys(recorded)]);
    return [...keys].flatMap((key) => differencesOf(live[key], recorded[key], path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(live) && Array.isArray(recorded) && live.length === recorded.length)
    return live.flatMap((item, at) => differencesOf(item, recorded[at], `${path}[${at}]`));
  if (jsonEqual(live, recorded)) return [];
  return [`${path}\n      answered: ${shorten(live)}\n      recorded: ${shorten(recorded)}`];
}

function shorten(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? '(nothing)';
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}
