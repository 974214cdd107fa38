/**
 * Growing pauses computed from the number of attempts only: that number is in the database, and another process may
 * make the next attempt.
 */
export function pauseAfter(
  failures: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  const pause = Math.min(firstMs * 2 ** Math.min(failures, 30), longestMs);
  return pause * (0.5 + random() / 2);
}
