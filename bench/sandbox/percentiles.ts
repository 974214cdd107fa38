/** The nearest-rank percentile: always a value that was measured. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  const value = sorted[index];
  if (value === undefined) throw new Error('there is no percentile of nothing');
  return value;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
