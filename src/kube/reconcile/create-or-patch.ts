/** Brings one object to what it shall be: made when it is not there, else patched by what differs. For what we own, apply-child.ts does better. */
import type { Client, GetOptions, RequestOptions } from '../client/client.ts';
import { isNotFound } from '../errors.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { optimisticMergePatch } from './merge-patch.ts';

export interface Brought<T> {
  readonly object: T;
  readonly outcome: 'created' | 'patched' | 'unchanged';
}

/**
 * `wanted` says from what there is what there shall be, without changing what it is given. A status is written by status-patch.ts.
 * A 409 means that somebody else wrote meanwhile: the reconciler runs again.
 */
export async function createOrPatch<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  wanted: (live: T | undefined) => T,
  options: RequestOptions = {},
): Promise<Brought<T>> {
  const live = await find(client, type, key, options);
  const object = wanted(live);
  if (live === undefined) return { object: await client.create(type, object, options), outcome: 'created' };
  const patch = optimisticMergePatch(live, object);
  if (patch === undefined) return { object: live, outcome: 'unchanged' };
  return { object: await client.patch(type, key, patch, options), outcome: 'patched' };
}

/** The object, or undefined when it is not there. */
export async function find<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  options: GetOptions = {},
): Promise<T | undefined> {
  try {
    return await client.get(type, key, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
