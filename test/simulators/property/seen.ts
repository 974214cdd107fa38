/** One change that a watcher saw, with the state before it and the other existing objects. */
import type { Unstructured } from '../../../packages/kube/src/object.ts';
import { isObject, type Json, type JsonObject } from '../../../packages/sandbox/src/values/json.ts';

export interface Seen {
  readonly kind: string;
  readonly change: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly before: Unstructured | undefined;
  readonly object: Unstructured;
  all(kind: string, namespace?: string): readonly Unstructured[];
}

export function at(object: Unstructured | undefined, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = object as unknown as JsonObject | undefined;
  for (const field of path) value = isObject(value) ? value[field] : undefined;
  return value;
}

export function textOf(object: Unstructured | undefined, ...path: readonly string[]): string {
  const value = at(object, ...path);
  return typeof value === 'string' ? value : '';
}

export function listOf(object: Unstructured | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const value = at(object, ...path);
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

export function conditionIn(object: Unstructured | undefined, type: string): JsonObject | undefined {
  return listOf(object, 'status', 'conditions').find((condition) => condition['type'] === type);
}

export function isDeleting(object: Unstructured): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

export function hasEnded(object: Unstructured): boolean {
  return ['Succeeded', 'Failed'].includes(textOf(object, 'status', 'phase'));
}

/** A launcher that contains, or will contain, a guest. */
export function isLiveLauncher(pod: Unstructured): boolean {
  return pod.metadata.labels?.['kubevirt.io'] === 'virt-launcher' && !isDeleting(pod) && !hasEnded(pod);
}

export function claimsOf(pod: Unstructured): readonly string[] {
  return listOf(pod, 'spec', 'volumes').flatMap(({ persistentVolumeClaim: claim }) =>
    isObject(claim) && typeof claim['claimName'] === 'string' ? [claim['claimName']] : [],
  );
}
