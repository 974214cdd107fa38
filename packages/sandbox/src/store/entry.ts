/**
 * One stored object at one revision. The object is kept only as JSON text: every read parses a new copy, so the stored
 * object cannot be modified by accident, and ten thousand objects need little more memory than their text.
 */
import type { KubeObject, OwnerReference } from '../values/json.ts';

/** `Bonds` holds the relations of an object to others, and its deletion state. */
export interface Bonds {
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isLeaving: boolean;
}

/** A symbol, so that the journal does not write the property. */
const BONDS = Symbol('bonds');

export interface Entry {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The object in its storage version, including resourceVersion. */
  readonly json: string;
  readonly [BONDS]?: Bonds;
}

export function entryKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** `toEntry` sets the revision in the object and serializes it. */
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

/** Needed after every write; cached for entries that were just written, so that they need no parsing. */
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
