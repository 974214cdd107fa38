/**
 * Writes objects as Ansible's `kubernetes.core.k8s` does: a merge patch over the live object or, with `apply`, what
 * kubectl's client-side apply sends.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { keyOfObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

type Json = Readonly<Record<string, unknown>>;

export async function get(
  client: Client,
  type: ResourceType<KubeObject>,
  namespace: string,
  name: string,
): Promise<Unstructured | undefined> {
  try {
    return (await client.get(type, { namespace, name })) as Unstructured;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Does what `state: present` does. */
export async function present(client: Client, type: ResourceType<KubeObject>, object: Unstructured): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const live = await get(client, type, namespace, name);
  if (live === undefined) await client.create(type, object);
  else if (!isDeepStrictEqual(merged(live, object), live))
    await client.patch(type, { namespace, name }, { type: 'merge', body: object });
}

/**
 * Does what `apply: true` does. Without the annotation, the whole object is merged over the live one; with it, fields
 * that were applied before and are no longer wanted are removed.
 */
export async function apply(client: Client, type: ResourceType<KubeObject>, object: Unstructured): Promise<void> {
  const text = `${JSON.stringify(object)}\n`;
  const { metadata } = object;
  const wanted = {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [lastApplied]: text } },
  };
  const live = await get(client, type, metadata.namespace ?? '', metadata.name ?? '');
  if (live === undefined) return void (await client.create(type, wanted));
  const before = live.metadata.annotations?.[lastApplied];
  const body = before === undefined ? wanted : threeWay(JSON.parse(before) as Json, wanted, live);
  if (!isDeepStrictEqual(merged(live, body), live))
    await client.patch(type, keyOfObject(object), { type: 'merge', body });
}

function threeWay(before: Json, wanted: Json, live: Json): Json {
  const patch: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(wanted)) {
    if (isMap(value) && isMap(live[field])) {
      const inner = threeWay(isMap(before[field]) ? before[field] : {}, value, live[field]);
      if (Object.keys(inner).length > 0) patch[field] = inner;
    } else if (!isDeepStrictEqual(value, live[field])) patch[field] = value;
  }
  for (const field of Object.keys(before)) if (!(field in wanted) && field in live) patch[field] = null;
  return patch;
}

function merged(live: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(live) ? { ...live } : {};
  for (const [field, value] of Object.entries(patch))
    if (value === null) delete result[field];
    else result[field] = merged(result[field], value);
  return result;
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
