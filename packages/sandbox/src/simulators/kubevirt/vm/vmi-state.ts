/** Predicates on a VMI that several rules share. */
import type { Condition, VirtualMachineInstance } from '../objects.ts';

export type MaybeVmi = VirtualMachineInstance | undefined;

export function phaseOf(vmi: VirtualMachineInstance): string {
  return vmi.status?.phase ?? '';
}

export function isFinal(vmi: VirtualMachineInstance): boolean {
  const phase = phaseOf(vmi);
  return phase === 'Succeeded' || phase === 'Failed';
}

export function isRunning(vmi: VirtualMachineInstance): boolean {
  return phaseOf(vmi) === 'Running';
}

export function isDeleting({ metadata }: Pick<VirtualMachineInstance, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function conditionOf(
  holder: { readonly status?: { readonly conditions?: readonly Condition[] } } | undefined,
  type: string,
): Condition | undefined {
  return holder?.status?.conditions?.find((condition) => condition.type === type);
}

export function hasCondition(vmi: MaybeVmi, type: string, status: Condition['status'], reason?: string): boolean {
  const condition = conditionOf(vmi, type);
  return (
    condition !== undefined && condition.status === status && (reason === undefined || condition.reason === reason)
  );
}

export function isMigrating(vmi: VirtualMachineInstance): boolean {
  const state = vmi.status?.migrationState;
  return isTime(state?.['startTimestamp']) && !isTime(state?.['endTimestamp']);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** `hasRun` returns whether it has ever been Running: if not, its end is a failed start. */
export function hasRun(vmi: VirtualMachineInstance): boolean {
  const transitions = (vmi.status?.['phaseTransitionTimestamps'] ?? []) as readonly { readonly phase?: string }[];
  return transitions.some(({ phase }) => phase === 'Running');
}
