/** Lists of conditions as virt-controller changes them. Nothing is changed in place; what stays as it was is the same list. */
import type { Condition } from '../objects.ts';

export type Conditions = readonly Condition[];

/** Why a sync failed, for the condition Synchronized. */
export interface SyncError {
  readonly reason: string;
  readonly message: string;
  /** Whether to try again with growing pauses, or to wait until something changes. */
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

/** In its place, unless status and reason are what they were. */
export function update(conditions: Conditions, next: Condition): Conditions {
  const known = find(conditions, next.type);
  if (known === undefined) return [...conditions, next];
  if (known.status === next.status && (known.reason ?? '') === (next.reason ?? '')) return conditions;
  return conditions.map((condition) => (condition === known ? next : condition));
}

/** The pod's condition on the VMI; the first one stays until it is removed. */
export function addPodCondition(conditions: Conditions, of: Condition): Conditions {
  const known = find(conditions, of.type);
  if (known?.status === of.status && known.reason === of.reason) return conditions;
  return [...remove(conditions, of.type), of];
}

/** Synchronized is there only while something fails. A message that changes is not written again. */
export function markSynchronized(conditions: Conditions, error: SyncError | undefined, now: string): Conditions {
  if (error === undefined) return remove(conditions, 'Synchronized');
  const { reason, message } = error;
  const known = find(conditions, 'Synchronized');
  if (known?.status === 'False' && known.reason === reason) return conditions;
  return [
    ...remove(conditions, 'Synchronized'),
    { type: 'Synchronized', status: 'False', reason, message, lastProbeTime: null, lastTransitionTime: now },
  ];
}
