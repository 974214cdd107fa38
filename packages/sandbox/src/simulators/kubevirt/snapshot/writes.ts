/**
 * Writes with the version that was read: after a concurrent write they fail with a conflict, and the reconcile is
 * retried.
 */
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { jsonEqual, type Json } from '../../../values/json.ts';

interface Writer {
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
}

export function setFinalizers<T extends KubeObject>(
  { cluster, signal }: Writer,
  type: ResourceType<T>,
  object: T,
  finalizers: readonly string[],
): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  const body = { metadata: { uid, resourceVersion, finalizers } };
  return cluster.client.patch(type, keyOfObject(object), { type: 'merge', body }, { signal });
}

export async function withFinalizer<T extends KubeObject>(
  writer: Writer,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  const known = object.metadata.finalizers ?? [];
  return known.includes(finalizer) ? object : setFinalizers(writer, type, object, [...known, finalizer]);
}

export async function withoutFinalizer<T extends KubeObject>(
  writer: Writer,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  const known = object.metadata.finalizers ?? [];
  if (!known.includes(finalizer)) return object;
  return setFinalizers(
    writer,
    type,
    object,
    known.filter((other) => other !== finalizer),
  );
}

/** `patchStatus` patches one field of the status; null removes it. */
export function patchStatus<T extends KubeObject>(
  { cluster, signal }: Writer,
  type: ResourceType<T>,
  object: T,
  status: object,
): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  const body = { metadata: { uid, resourceVersion }, status };
  const options = { subresource: 'status', signal };
  return cluster.client.patch(type, keyOfObject(object), { type: 'merge', body }, options);
}

/** `putStatus` replaces the whole status if it differs. */
export async function putStatus<T extends KubeObject & { readonly status?: object }>(
  { cluster, signal }: Writer,
  type: ResourceType<T>,
  object: T,
  status: NonNullable<T['status']>,
): Promise<T> {
  if (jsonEqual(object.status as Json | undefined, status as Json)) return object;
  return cluster.client.update(type, { ...object, status }, { subresource: 'status', signal });
}
