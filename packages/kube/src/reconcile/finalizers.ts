/**
 * Adds and removes finalizers, which keep an object until its controller has cleaned up. Every change is tied to the
 * state that was read.
 */
import type { Client, RequestOptions } from '../client/client.ts';
import { isNotFound } from '../errors.ts';
import { keyOfObject, type KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import { lockOn } from './merge-patch.ts';

export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

export function isDeleting({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/**
 `addFinalizer` * Resolves to the object with the finalizer; sends no request if it has it. A server refuses new finalizers on an
 * object that is being deleted.
 */
export async function addFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
  options: RequestOptions = {},
): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  return client.patch(type, keyOfObject(object), listPatch(object, [...listed(object), finalizer]), options);
}

/** `removeFinalizer` resolves to the object without the finalizer, or to undefined when its removal let the server delete the object. */
export async function removeFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
  options: RequestOptions = {},
): Promise<T | undefined> {
  if (!hasFinalizer(object, finalizer)) return object;
  const left = listed(object).filter((name) => name !== finalizer);
  try {
    const answer = await client.patch(type, keyOfObject(object), listPatch(object, left), options);
    return isDeleting(answer) && left.length === 0 ? undefined : answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function listed({ metadata }: KubeObject): readonly string[] {
  return metadata.finalizers ?? [];
}

/** A merge patch replaces the entire list: the lock keeps it from undoing concurrent changes. */
function listPatch(
  object: KubeObject,
  finalizers: readonly string[],
): { readonly type: 'merge'; readonly body: object } {
  return { type: 'merge', body: { metadata: { ...lockOn(object), finalizers } } };
}
