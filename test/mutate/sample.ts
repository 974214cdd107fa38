const day = 24 * 60 * 60 * 1000;

/** Some of a list, spread over the whole of it; the next day the neighbours, so that in time all have their turn. */
export function sample<T>(all: readonly T[], count: number, now: Date): T[] {
  if (!Number.isInteger(count) || count < 1) throw new Error(`--sample must be a whole number above 0, not ${count}`);
  if (count >= all.length) return [...all];
  const step = all.length / count;
  const offset = Math.floor(now.getTime() / day) % Math.ceil(step);
  const places = Array.from({ length: count }, (_, i) => (Math.floor(i * step) + offset) % all.length);
  return [...new Set(places)].map((place) => all[place] as T);
}
