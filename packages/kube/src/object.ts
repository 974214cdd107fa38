/**
 * Kubernetes objects as they are on the wire: plain JSON with an envelope. No code here drops an unknown field, so an
 * object that is read and written back stays the same.
 */

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** `Unstructured` is an object of which only the envelope is known. */
export interface Unstructured extends KubeObject {
  readonly [field: string]: unknown;
}

export interface ObjectKey {
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or the name alone: the string key for maps and sets. */
export function keyOf({ namespace, name }: { readonly namespace?: string; readonly name?: string }): string {
  return namespace === undefined || namespace === '' ? (name ?? '') : `${namespace}/${name ?? ''}`;
}

export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** `keyOfObject` returns the key of an object whose name has been assigned. */
export function keyOfObject({ metadata: { namespace, name } }: { readonly metadata: ObjectMeta }): ObjectKey {
  if (name === undefined) throw new TypeError('the object has no metadata.name');
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
