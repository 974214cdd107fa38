/** Growing pauses for attempts of which only the number is known: it stands in the database, and the next may be another process's. */
export function pauseAfter(
  failures: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  const pause = Math.min(firstMs * 2 ** Math.min(failures, 30), longestMs);
  return pause * (0.5 + random() / 2);
}
