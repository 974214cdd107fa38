/** Suggestions if no object has the given name, and the sentence with them. */
import { defined } from '@ssvirt/base/values/defined';
import { nearest } from '@ssvirt/base/config/nearest';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import { namespaces } from '../../fleet/kinds.ts';
import type { ClusterReaderOptions } from './cluster-reader.ts';

export interface Nearby {
  /** The kind is not served. */
  readonly isUnknown?: true;
  readonly isNamespaceMissing?: true;
  /** The most similar name in the same namespace. */
  readonly meant?: string;
  /** Namespaces that have an object with that name. */
  readonly elsewhere: readonly string[];
  readonly names: readonly string[];
}

const most = 10;

export async function nearby(
  asking: ClusterReaderOptions,
  type: ResourceType<KubeObject>,
  namespace: string,
  name: string,
): Promise<Nearby> {
  const names: string[] = [];
  const elsewhere: string[] = [];
  try {
    for await (const metadata of everywhere(asking, type, namespace)) {
      if (metadata.namespace === namespace) names.push(metadata.name ?? '');
      else if (metadata.name === name) elsewhere.push(metadata.namespace ?? '');
    }
  } catch (error) {
    if (isNotFound(error)) return { isUnknown: true, names: [], elsewhere: [] };
    throw error;
  }
  const meant = nearest(name, names);
  return {
    ...((await isMissing(asking, namespace)) ? { isNamespaceMissing: true as const } : {}),
    ...defined({ meant }),
    names: names.toSorted().slice(0, most),
    elsewhere: elsewhere.slice(0, most),
  };
}

/** A user who may not read all namespaces may still read this one. */
async function* everywhere(
  { client, signal }: ClusterReaderOptions,
  type: ResourceType<KubeObject>,
  namespace: string,
): AsyncGenerator<KubeObject['metadata']> {
  const options = { metadataOnly: true, signal };
  try {
    for await (const { items } of client.pages(type, options)) for (const { metadata } of items) yield metadata;
  } catch (error) {
    if (!isKind(error, 'Forbidden')) throw error;
    for await (const { items } of client.pages(type, { ...options, namespace }))
      for (const { metadata } of items) yield metadata;
  }
}

async function isMissing({ client, signal }: ClusterReaderOptions, name: string): Promise<boolean> {
  try {
    await client.get(namespaces, { name }, { signal, metadataOnly: true });
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isKind(error, 'Forbidden')) return false;
    throw error;
  }
}

export interface NameSearch {
  /** For people: "order", "Machine". */
  readonly word: string;
  readonly type: ResourceType<KubeObject>;
  readonly namespace: string;
  readonly name: string;
}

export function absenceText({ word, type, namespace, name }: NameSearch, near: Nearby): string {
  const head = `there is no ${word} "${name}" in namespace "${namespace}"`;
  if (near.isUnknown === true)
    return `${head}: the cluster does not serve the kind; apply deploy/crds/${resourceName(type)}.yaml, or choose another cluster with --context`;
  if (near.elsewhere.length > 0)
    return `${head}, but in ${near.elsewhere.map((one) => `"${one}"`).join(', ')}: give the namespace with -n`;
  if (near.meant !== undefined) return `${head}: did you mean "${near.meant}"?`;
  if (near.isNamespaceMissing === true) return `${head}, and the namespace does not exist: give another one with -n`;
  return near.names.length === 0
    ? `${head}, or any other`
    : `${head}: there are ${near.names.map((one) => `"${one}"`).join(', ')}`;
}
