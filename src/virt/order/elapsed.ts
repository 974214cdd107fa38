/** How much of a time is left, by a record that another clock may have written. */

/**
 * 0 where it is over, or there is no record. A record further in the future than the time itself is a clock that was wrong: it does not count, else it would
 * block until the clocks agree.
 */
export function remaining(since: string | undefined, durationMs: number, now: number): number {
  const start = since === undefined ? Number.NaN : Date.parse(since);
  const left = start + durationMs - now;
  return Number.isFinite(left) && left > 0 && left <= 2 * durationMs ? left : 0;
}
