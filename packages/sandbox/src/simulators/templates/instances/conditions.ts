/** The conditions of a TemplateInstance. Both outcomes are final: a failed instance is not retried. */
import type { InstanceCondition, TemplateInstance, TemplateInstanceStatus } from '../kinds.ts';

export type ReadyCondition = Omit<InstanceCondition, 'lastTransitionTime'>;

export const created: ReadyCondition = { type: 'Ready', status: 'True', reason: 'Created', message: '' };

export const waiting: ReadyCondition = {
  type: 'Ready',
  status: 'False',
  reason: 'Waiting',
  message: 'Waiting for instantiated objects to report ready',
};

export const notReady: ReadyCondition = {
  type: 'Ready',
  status: 'False',
  reason: 'Failed',
  message: 'See InstantiateFailure condition for error message',
};

export const failed = (message: string): ReadyCondition => ({
  type: 'InstantiateFailure',
  status: 'True',
  reason: 'Failed',
  message,
});

export function isFinished({ status }: Pick<TemplateInstance, 'status'>): boolean {
  return (status?.conditions ?? []).some(({ status: value }) => value === 'True');
}

/** A condition that has not changed keeps its time. */
export function withConditions(
  status: TemplateInstanceStatus,
  told: readonly ReadyCondition[],
  now: string,
): TemplateInstanceStatus {
  let conditions = status.conditions ?? [];
  for (const condition of told) {
    const at = conditions.findIndex(({ type }) => type === condition.type);
    const before = conditions[at];
    if (before !== undefined && saysSame(before, condition)) continue;
    const next = { ...condition, lastTransitionTime: now };
    conditions = before === undefined ? [...conditions, next] : conditions.with(at, next);
  }
  return { ...status, conditions };
}

function saysSame(before: InstanceCondition, told: ReadyCondition): boolean {
  return before.status === told.status && before.reason === told.reason && before.message === told.message;
}
