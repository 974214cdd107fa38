/** The words for how things are; whoever filters by another one is told these. */

const observed = [
  'POWERED_ON',
  'POWERED_OFF',
  'POWERING_ON',
  'POWERING_OFF',
  'SUSPENDED',
  'FAILED',
  'UNKNOWN',
] as const;

/** What clusters say of a machine. */
export type VmStatus = (typeof observed)[number] | 'DELETING' | 'DELETED';

/** What is shown of a machine: observed, or that nobody has seen it yet. */
export const shownVmStatuses = [...observed, 'DELETING', 'DELETED', 'UNRESOLVED'] as const;
export type ShownVmStatus = (typeof shownVmStatuses)[number];

export const shownVappStatuses = [
  ...observed,
  'DELETING',
  'UNRESOLVED',
  'RESOLVED',
  'MIXED',
  'FAILED_CREATION',
] as const;
export type ShownVappStatus = (typeof shownVappStatuses)[number];

export const taskStatuses = ['queued', 'preRunning', 'running', 'success', 'error', 'canceled', 'aborted'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A template that a cluster no longer offers as it was is shown all the same. */
export const itemStatuses = ['AVAILABLE', 'UNAVAILABLE'] as const;
