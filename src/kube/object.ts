/**
 * Kubernetes objects as they travel: plain JSON with an envelope. Nothing here drops a field that it does not know, so that an
 * object that was read and written back is the same object.
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

/** An object of which we know no more than the envelope. */
export interface Unstructured extends KubeObject {
  readonly [field: string]: unknown;
}

export interface ObjectKey {
  /** Absent for kinds that stand in no namespace. */
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or the name alone: what maps and sets are keyed by. */
export function keyOf({ namespace, name }: { readonly namespace?: string; readonly name?: string }): string {
  return namespace === undefined || namespace === '' ? (name ?? '') : `${namespace}/${name ?? ''}`;
}

export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The key of an object that a server has named. */
export function keyOfObject({ metadata: { namespace, name } }: { readonly metadata: ObjectMeta }): ObjectKey {
  if (name === undefined) throw new TypeError('an object without a name has no key');
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
