/**
 * Changes lists of conditions as virt-controller does. Nothing is changed in place; an unchanged list is returned as
 * the same object.
 */
import type { Condition } from '../objects.ts';

export type Conditions = readonly Condition[];

/** Why a sync failed, for the condition Synchronized. */
export interface VmiSyncError {
  readonly reason: string;
  readonly message: string;
  /** Whether to retry with growing pauses, or to wait for a change. */
  readonly retry: boolean;
}

export function find(conditions: Conditions | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function has(conditions: Conditions | undefined, type: string, status?: Condition['status']): boolean {
  const condition = find(conditions, type);
  return condition !== undefined && (status === undefined || condition.status === status);
}

export function remove(conditions: Conditions, type: string): Conditions {
  return has(conditions, type) ? conditions.filter((condition) => condition.type !== type) : conditions;
}

/** `update` replaces the condition in its place, unless status and reason are unchanged. */
export function update(conditions: Conditions, next: Condition): Conditions {
  const known = find(conditions, next.type);
  if (known === undefined) return [...conditions, next];
  if (known.status === next.status && (known.reason ?? '') === (next.reason ?? '')) return conditions;
  return conditions.map((condition) => (condition === known ? next : condition));
}

/** `addPodCondition` copies a pod's condition to the VMI, at the end of the list; one with the same status and reason is kept. */
export function addPodCondition(conditions: Conditions, of: Condition): Conditions {
  const known = find(conditions, of.type);
  if (known?.status === of.status && known.reason === of.reason) return conditions;
  return [...remove(conditions, of.type), of];
}

/** Synchronized exists only while the sync fails. A new message with the same reason is not written. */
export function markSynchronized(conditions: Conditions, error: VmiSyncError | undefined, now: string): Conditions {
  if (error === undefined) return remove(conditions, 'Synchronized');
  const { reason, message } = error;
  const known = find(conditions, 'Synchronized');
  if (known?.status === 'False' && known.reason === reason) return conditions;
  return [
    ...remove(conditions, 'Synchronized'),
    { type: 'Synchronized', status: 'False', reason, message, lastProbeTime: null, lastTransitionTime: now },
  ];
}
