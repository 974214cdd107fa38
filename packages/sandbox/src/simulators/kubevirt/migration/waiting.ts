/** How long a migration waits: after failed migrations of its VMI, and for a pending target pod. */
import type { Pod, VirtualMachineInstanceMigration } from '../objects.ts';
import { find } from '../vmi/conditions.ts';
import { annotations } from './names.ts';
import { isDeleting, phaseOf } from './state.ts';

const FIRST_PAUSE_MS = 20_000;
const UNSCHEDULABLE_S = 5 * 60;
const PENDING_S = 15 * 60;

/** Migrations that no user requested, and that would be created again after each failure. */
export function isAutomatic({ metadata }: VirtualMachineInstanceMigration): boolean {
  const known = metadata.annotations ?? {};
  return known[annotations.evacuation] !== undefined || known[annotations.workloadUpdate] !== undefined;
}

/**
 * Since when, and for how many milliseconds of real-cluster time, the newest migration of a VMI must wait: 20 s after a
 * failure, doubled for each further one in a row. Undefined if it need not wait.
 */
export function pauseOf(
  migration: VirtualMachineInstanceMigration,
  ofVmi: readonly VirtualMachineInstanceMigration[],
): { readonly since: number; readonly ms: number } | undefined {
  if (!isAutomatic(migration)) return undefined;
  const [newest, ...before] = ofVmi.filter(isAutomatic).toSorted(newestFirst);
  if (newest?.metadata.uid !== migration.metadata.uid) return undefined;
  let ms = 0;
  for (const other of before) {
    if (phaseOf(other) === 'Succeeded') break;
    if (!isDeleting(other) && phaseOf(other) === 'Failed') ms = ms === 0 ? FIRST_PAUSE_MS : ms * 2;
  }
  const since = before[0] === undefined ? Number.NaN : failedAt(before[0]);
  return ms === 0 || Number.isNaN(since) ? undefined : { since, ms };
}

function newestFirst(a: VirtualMachineInstanceMigration, b: VirtualMachineInstanceMigration): number {
  return Date.parse(b.metadata.creationTimestamp ?? '') - Date.parse(a.metadata.creationTimestamp ?? '');
}

function failedAt({ status }: VirtualMachineInstanceMigration): number {
  const transitions = (status?.['phaseTransitionTimestamps'] ?? []) as readonly {
    readonly phase: string;
    readonly phaseTransitionTimestamp: string;
  }[];
  return Date.parse(transitions.find(({ phase }) => phase === 'Failed')?.phaseTransitionTimestamp ?? '');
}

export interface PendingPod {
  readonly unschedulable: boolean;
  /** Counted in real-cluster time from the pod's creation. */
  readonly timeoutMs: number;
  /** The message for the timeout. */
  readonly givenUp: string;
}

/** How long a target pod may be pending. Undefined if it is not pending. */
export function pendingPod({ metadata }: VirtualMachineInstanceMigration, pod: Pod): PendingPod | undefined {
  if (pod.status?.phase !== 'Pending' || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const scheduled = find(pod.status.conditions, 'PodScheduled');
  const unschedulable = scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
  const name = `${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;
  const seconds = (annotation: string, otherwise: number): number => {
    const given = metadata.annotations?.[annotation] ?? '';
    // Any user may have written the annotation: a value that is too large for a number is ignored.
    return /^\d{1,12}$/.test(given) ? Number(given) : otherwise;
  };
  const pending = seconds(annotations.pendingTimeout, PENDING_S);
  if (!unschedulable)
    return { unschedulable, timeoutMs: pending * 1000, givenUp: `pending pod ${name} timeout period exceeded` };
  return {
    unschedulable,
    timeoutMs: Math.min(pending, seconds(annotations.unschedulableTimeout, UNSCHEDULABLE_S)) * 1000,
    givenUp: `unschedulable pod ${name} timeout period exceeded`,
  };
}
