/** Some of a list, spread over the whole of it; the same ones in every run. */
export function sample<T>(all: readonly T[], count: number): T[] {
  if (!Number.isInteger(count) || count < 1) throw new Error(`--sample must be a whole number above 0, not ${count}`);
  if (count >= all.length) return [...all];
  const step = all.length / count;
  return Array.from({ length: count }, (_, i) => all[Math.floor((i + 0.5) * step)] as T);
}
