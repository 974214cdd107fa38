/** How much of a period is left, by a timestamp that another clock may have written. */

/**
 * Returns 0 if the period is over or there is no timestamp. A timestamp further in the future than the whole period
 * comes from a wrong clock: it does not count, or else it would block until the clocks agree.
 */
export function remaining(since: string | undefined, durationMs: number, now: number): number {
  const start = since === undefined ? Number.NaN : Date.parse(since);
  const left = start + durationMs - now;
  return Number.isFinite(left) && left > 0 && left <= 2 * durationMs ? left : 0;
}
