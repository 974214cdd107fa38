/**
 * `createOrPatch` creates an object, or patches it where it differs. For objects that we own, prefer apply-child.ts.
 */
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
 * `wanted` maps the current object to the desired one without modifying its argument. A status is written with
 * status-patch.ts instead. A 409 means that another writer was first: the reconciler runs again.
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

/** `find` resolves to the object, or to undefined when it does not exist. */
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
