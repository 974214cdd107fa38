/**
 * Ownership through the scale subresource. A Scale shows those who own the parent's replicas as owners of its own, and what
 * becomes of them there is carried back. Times are lost for whoever scaled last; so they are in Kubernetes.
 */
import type { ManagedFieldsEntry } from '../json.ts';
import { difference, fieldSetOf, has, isEmpty } from './fieldset.ts';
import type { Manager } from './managers.ts';
import { decodeManagers, encodeManagers } from './managers.ts';
import { field } from './path.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = ['spec', 'replicas'];

/** Where replicas stand in each version of the parent, such as `{ 'apps/v1': ['spec', 'replicas'] }`. */
export type ReplicasPaths = Readonly<Record<string, readonly string[]>>;

/** The managedFields of the Scale. Throws SyntaxError for entries that are not valid, as the next function does. */
export function scaleEntries(parent: readonly ManagedFieldsEntry[], paths: ReplicasPaths): ManagedFieldsEntry[] {
  const out = new Map<string, Manager>();
  for (const [identity, manager] of decodeManagers(parent)) {
    const path = paths[manager.apiVersion];
    if (path === undefined || !has(manager.set, path.map(field))) continue;
    out.set(identity, { ...manager, apiVersion: SCALE_VERSION, set: fieldSetOf([SCALE_REPLICAS]) });
  }
  return encodeManagers(out);
}

/** The managedFields of the parent in version `apiVersion`, after its Scale was written. */
export function parentEntries(
  parent: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const before = decodeManagers(parent);
  const scalers = decodeManagers(scale);
  const out = new Map<string, Manager>();
  for (const [identity, manager] of before) {
    const path = paths[manager.apiVersion];
    if (path === undefined) continue;
    const kept = scalers.has(identity) || !has(manager.set, path.map(field));
    const set = kept ? manager.set : difference(manager.set, fieldSetOf([path]));
    if (has(manager.set, path.map(field))) scalers.delete(identity);
    if (!isEmpty(set)) out.set(identity, { ...manager, set });
  }
  for (const [identity, manager] of scalers) {
    if (!has(manager.set, SCALE_REPLICAS.map(field))) continue;
    const set = fieldSetOf([paths[apiVersion] ?? []]);
    out.set(identity, { ...manager, apiVersion, set, time: before.get(identity)?.time });
  }
  return encodeManagers(out);
}
