/** `Json` is the JSON of the Kubernetes API, and the envelope of its objects. */

export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface KubeObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * A field called `__proto__` is a field like any other. Without this, assigning it would change the object's prototype,
 * and the field would be lost. No loaded code uses that accessor; Node has an option with the same effect.
 */
delete (Object.prototype as { __proto__?: unknown }).__proto__;

/**
 * The object's own field of a name that may come from a client: an inherited property such as `constructor` is not
 * returned.
 */
export function own(object: JsonObject | undefined, name: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Structural equality of JSON values; the order of keys does not matter, and an absent key equals `undefined`. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let count = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    // Inherited properties do not count.
    if (!jsonEqual(a[key], own(b, key))) return false;
    count++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) count--;
  return count === 0;
}

/** `cloneJson` returns a deep copy; several times faster than `structuredClone` on JSON. */
export function cloneJson<T extends Json>(value: T): T;
export function cloneJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cloneJson(item));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) copy[key] = cloneJson(item);
  }
  return copy;
}
