/**
 * `patchStatus` writes a status: only what differs, only on the state that was read, and nothing when nothing differs.
 */
import type { Client, RequestOptions } from '../client/client.ts';
import { isNotFound } from '../errors.ts';
import { keyOfObject, type KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { lockOn, mergePatch } from './merge-patch.ts';

export interface WithStatus<S extends object = object> extends KubeObject {
  readonly status?: S;
}

/**
 `patchStatus` * Resolves to the object with its new status, or to undefined when it is gone, which is no failure. The lock is the
 * state from which the new status was computed: an older writer that wakes up late gets 409 and writes nothing.
 */
export async function patchStatus<T extends WithStatus>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  status: NonNullable<T['status']>,
  options: RequestOptions = {},
): Promise<T | undefined> {
  const difference = mergePatch(object.status ?? {}, status);
  if (difference === undefined) return object;
  const body = { metadata: lockOn(object), status: difference };
  try {
    return await client.patch(
      type,
      keyOfObject(object),
      { type: 'merge', body },
      { ...options, subresource: 'status' },
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
