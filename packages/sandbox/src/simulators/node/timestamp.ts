/** `timestamp` formats a time as Kubernetes does, in whole seconds. */
export function timestamp(date: Date = new Date()): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/**
 * When the deletion was requested: the deletion timestamp minus the grace period. A huge grace period would give an
 * invalid date.
 */
export function toldToEnd(deletionTimestamp: string, graceSeconds: number): string {
  const told = Date.parse(deletionTimestamp) - graceSeconds * 1000;
  return Number.isNaN(told) ? deletionTimestamp : new Date(Math.max(0, told)).toISOString();
}
