/**
 * Ownership through the scale subresource. A Scale shows the owners of the parent's replicas as its own owners, and
 * changes of them are carried back to the parent. The entry of the last scaler has no time, as in Kubernetes.
 */
import type { ManagedFieldsEntry } from '../../values/json.ts';
import { difference, fieldSetOf, has, isEmpty } from './fieldset.ts';
import type { Manager } from './managers.ts';
import { decodeManagers, encodeManagers } from './managers.ts';
import { field } from './path.ts';

const SCALE_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = ['spec', 'replicas'];

/** The path of replicas in each version of the parent, such as `{ 'apps/v1': ['spec', 'replicas'] }`. */
export type ReplicasPaths = Readonly<Record<string, readonly string[]>>;

/** `scaleEntries` returns the managedFields of the Scale. This and the next function throw SyntaxError for invalid entries. */
export function scaleEntries(parent: readonly ManagedFieldsEntry[], paths: ReplicasPaths): ManagedFieldsEntry[] {
  const out = new Map<string, Manager>();
  for (const [identity, manager] of decodeManagers(parent)) {
    const path = paths[manager.apiVersion];
    if (path === undefined || !has(manager.set, path.map(field))) continue;
    out.set(identity, { ...manager, apiVersion: SCALE_VERSION, set: fieldSetOf([SCALE_REPLICAS]) });
  }
  return encodeManagers(out);
}

/** `parentEntries` returns the managedFields of the parent in version `apiVersion`, after its Scale was written. */
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
