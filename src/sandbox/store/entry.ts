/**
 * One stored object at one revision. The object itself is kept as JSON text only: a read parses it anew, so nobody can change
 * what is stored by accident, and ten thousand objects cost little more than their text.
 */
import type { KubeObject, OwnerReference } from '../json.ts';

/** What ties an object to others and to its end. */
export interface Bonds {
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isLeaving: boolean;
}

/** A symbol, so that the journal does not write it. */
const BONDS = Symbol('bonds');

export interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The object in its storage version, resourceVersion included. */
  readonly json: string;
  readonly [BONDS]?: Bonds;
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
    [BONDS]: bondsIn(object),
  };
}

/** Looked at after every write: what was just written need not be parsed for it. */
export function bondsOf(entry: Entry): Bonds {
  return entry[BONDS] ?? bondsIn(parseEntry(entry));
}

const NONE: Bonds = { owners: [], finalizers: [], isLeaving: false };

function bondsIn({ metadata }: KubeObject): Bonds {
  const { ownerReferences: owners = [], finalizers = [], deletionTimestamp } = metadata;
  const isLeaving = deletionTimestamp !== undefined;
  return owners.length === 0 && finalizers.length === 0 && !isLeaving ? NONE : { owners, finalizers, isLeaving };
}

export function parseEntry(entry: Entry): KubeObject {
  return JSON.parse(entry.json) as KubeObject;
}
