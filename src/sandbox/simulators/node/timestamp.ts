/** A moment as Kubernetes writes it: to the second. */
export function timestamp(date: Date = new Date()): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** When somebody was told to end, who has so long to do it: a grace of ages leads to no date. */
export function toldToEnd(deletionTimestamp: string, graceSeconds: number): string {
  const told = Date.parse(deletionTimestamp) - graceSeconds * 1000;
  return Number.isNaN(told) ? deletionTimestamp : new Date(Math.max(0, told)).toISOString();
}
