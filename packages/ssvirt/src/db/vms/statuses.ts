/** The status values. A filter by another value is rejected with a list of these. */

const observed = [
  'POWERED_ON',
  'POWERED_OFF',
  'POWERING_ON',
  'POWERING_OFF',
  'SUSPENDED',
  'FAILED',
  'UNKNOWN',
] as const;

/** `VmStatus` is the status of a VM as clusters report it. */
export type VmStatus = (typeof observed)[number] | 'DELETING' | 'DELETED';

/** `shownVmStatuses` is the shown status of a VM: the observed one, or UNRESOLVED before the first observation. */
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

/** A template that the cluster no longer offers in its former state is still shown. */
export const itemStatuses = ['AVAILABLE', 'UNAVAILABLE'] as const;
