/** RFC 7386 merge patches between two values: null removes a field, a list is replaced as a whole. */
import { defined } from '@ssvirt/base/values/defined';
import { isDeepStrictEqual } from 'node:util';
import type { Patch } from '../client/client.ts';
import type { KubeObject } from '../object.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 `mergePatch` returns * The patch that turns `before` into `after`; undefined when they are equal. A field that is null in `after` counts as
 * absent, because a merge patch cannot express anything else.
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

/** Lists are compared as they are sent: an undefined field would differ from the server's list forever. */
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
 `optimisticMergePatch` returns * The patch between two states of one object; undefined when they are equal. The server refuses it with 409 when the
 * object was written since `before` was read.
 */
export function optimisticMergePatch<T extends KubeObject>(before: T, after: T): Patch | undefined {
  const body = mergePatch(before, after);
  if (body === undefined) return undefined;
  const metadata = { ...(isJsonObject(body['metadata']) ? body['metadata'] : {}), ...lockOn(before) };
  return { type: 'merge', body: { ...body, metadata } };
}

/**
 `lockOn` * Ties a write to exactly the state that was read: for a newer state, or another object of the same name, the server
 * answers 409.
 */
export function lockOn({ metadata: { uid, resourceVersion } }: { readonly metadata: KubeObject['metadata'] }): {
  readonly uid?: string;
  readonly resourceVersion?: string;
} {
  return {
    ...defined({ uid, resourceVersion }),
  };
}
