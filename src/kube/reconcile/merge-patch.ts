/** RFC 7386 patches between two values: null takes a field away, a list is replaced as a whole. */
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../client/client.ts';
import type { KubeObject } from '../object.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What turns `before` into `after`, or undefined where they do not differ. A field that is null in `after` counts as absent, since a merge
 * patch cannot say anything else.
 */
export function mergePatch(before: object, after: object): JsonObject | undefined {
  const patch = difference({ ...before }, { ...after });
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function difference(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, unknown> = {};
  for (const field of Object.keys(before))
    if (isPresent(before[field]) && !isPresent(after[field])) patch[field] = null;
  for (const [field, wanted] of Object.entries(after)) {
    const old = before[field];
    const value = Array.isArray(wanted) ? asSent(wanted) : wanted;
    if (!isPresent(value) || isDeepStrictEqual(old, value)) continue;
    if (!isJsonObject(value)) patch[field] = value;
    else if (!isJsonObject(old)) patch[field] = withoutNulls(value);
    else {
      const nested = difference(old, value);
      if (Object.keys(nested).length > 0) patch[field] = nested;
    }
  }
  return patch;
}

/** A list is compared as a whole: an undefined field in it would differ for ever from what the server has. */
function asSent(list: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(list)) as unknown;
}

function withoutNulls(value: JsonObject): JsonObject {
  return difference({}, value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * The patch between two states of one object, refused by the server (409) when somebody wrote since `before` was read. Undefined where nothing
 * differs.
 */
export function optimisticMergePatch<T extends KubeObject>(before: T, after: T): Patch | undefined {
  const body = mergePatch(before, after);
  if (body === undefined) return undefined;
  const metadata = { ...(isJsonObject(body['metadata']) ? body['metadata'] : {}), ...lockOn(before) };
  return { type: 'merge', body: { ...body, metadata } };
}

/** What ties a write to the very state that was read: a newer state, or another object under the same name, is answered with 409. */
export function lockOn({ metadata: { uid, resourceVersion } }: { readonly metadata: KubeObject['metadata'] }): {
  readonly uid?: string;
  readonly resourceVersion?: string;
} {
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
