/**
 * The conditions of a VM: Ready from the VMI, Failure of the last reconcile, RestartRequired, and a mirror of the VMI's
 * other conditions.
 */
import type { Condition } from '../../objects.ts';
import type { SyncError } from './sync-error.ts';
import { conditionOf, type MaybeVmi } from '../vmi-state.ts';

/** Conditions of the VM itself: the VMI's conditions of the same type are not mirrored. */
const notMirrored: ReadonlySet<string> = new Set(['Ready', 'Failure', 'RestartRequired']);

/** `withCondition` replaces a condition only if its status or reason differs: a new time or message alone is no change. */
export function withCondition(conditions: readonly Condition[], wanted: Condition): readonly Condition[] {
  const at = conditions.findIndex(({ type }) => type === wanted.type);
  const known = conditions[at];
  if (known === undefined) return [...conditions, wanted];
  return known.status === wanted.status && (known.reason ?? '') === (wanted.reason ?? '')
    ? conditions
    : conditions.with(at, wanted);
}

export function withoutCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

export function conditionsAfter(
  conditions: readonly Condition[],
  vmi: MaybeVmi,
  error: SyncError | undefined,
  now: string,
): readonly Condition[] {
  const ready = withCondition(conditions, readyOf(vmi, now));
  const result = error === undefined ? withoutCondition(ready, 'Failure') : withCondition(ready, failureOf(error, now));
  // The conditions of a deleted VMI are kept until the next VMI has conditions.
  return vmi === undefined ? result : mirrored(result, vmi.status?.conditions ?? []);
}

function readyOf(vmi: MaybeVmi, now: string): Condition {
  const times = { lastProbeTime: now, lastTransitionTime: now };
  if (vmi === undefined)
    return { type: 'Ready', status: 'False', reason: 'VMINotExists', message: 'VMI does not exist', ...times };
  const ready = conditionOf(vmi, 'Ready');
  if (ready !== undefined) return copyOf(ready);
  const message = 'VMI is missing the Ready condition';
  return { type: 'Ready', status: 'False', reason: 'VMIConditionMissing', message, ...times };
}

function failureOf({ reason, message }: SyncError, now: string): Condition {
  return { type: 'Failure', status: 'True', reason, message, lastProbeTime: null, lastTransitionTime: now };
}

export function restartRequiredFor(message: string, now: string): Condition {
  return { type: 'RestartRequired', status: 'True', message, lastProbeTime: null, lastTransitionTime: now };
}

function mirrored(conditions: readonly Condition[], theirs: readonly Condition[]): readonly Condition[] {
  const mirror = theirs.filter(({ type }) => !notMirrored.has(type));
  const types = new Set(mirror.map(({ type }) => type));
  const kept = conditions.filter(({ type }) => notMirrored.has(type) || types.has(type));
  return mirror.reduce<readonly Condition[]>((result, condition) => withCondition(result, copyOf(condition)), kept);
}

function copyOf({ type, status, reason, message, lastProbeTime, lastTransitionTime }: Condition): Condition {
  return {
    type,
    status,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    lastProbeTime: lastProbeTime ?? null,
    lastTransitionTime: lastTransitionTime ?? null,
  };
}
