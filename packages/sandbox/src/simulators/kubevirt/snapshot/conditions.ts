/** Conditions of snapshots and restores: Progressing and Ready, with a sentence as the reason, and Failure. */
import type { Condition } from '../objects.ts';

type Conditions = readonly Condition[];

/** `set` changes the condition only if its status or reason differs. */
export function set(
  conditions: Conditions,
  type: 'Progressing' | 'Ready' | 'Failure',
  status: Condition['status'],
  reason: string,
  now: string,
): Conditions {
  const next: Condition = { type, status, reason, lastProbeTime: null, lastTransitionTime: now };
  const known = conditions.find((condition) => condition.type === type);
  if (known === undefined) return [...conditions, next];
  if (known.status === status && known.reason === reason) return conditions;
  return conditions.map((condition) => (condition === known ? next : condition));
}
