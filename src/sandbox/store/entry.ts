/**
 * One stored object at one revision. The object itself is kept as JSON text only: a read parses it anew, so nobody can change
 * what is stored by accident, and ten thousand objects cost little more than their text.
 */
import type { KubeObject } from '../json.ts';

export interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The object in its storage version, resourceVersion included. */
  readonly json: string;
}

export function entryKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Stamps the revision into the object and freezes it as text. */
export function toEntry(object: KubeObject, revision: number): Entry {
  const { metadata } = object;
  metadata.resourceVersion = String(revision);
  const namespace = metadata.namespace ?? '';
  const name = metadata.name ?? '';
  return {
    key: entryKey(namespace, name),
    namespace,
    name,
    uid: metadata.uid ?? '',
    revision,
    labels: metadata.labels,
    json: JSON.stringify(object),
  };
}

export function parseEntry(entry: Entry): KubeObject {
  return JSON.parse(entry.json) as KubeObject;
}
