/** Reads our controller's histogram of the time from an event to the committed row. */

const metric = 'ssvirt_vm_status_lag_seconds';

export interface Lag {
  /** In milliseconds: the upper bound of the bucket of the percentile, so never better than the true value. */
  readonly p50: number;
  readonly p99: number;
}

/** The lag between two readings of /metrics; undefined without such a histogram or without new values. */
export function lagOf(before: string, after: string): Lag | undefined {
  const old = buckets(before);
  const grown = [...buckets(after)].map(([limit, count]) => [limit, count - (old.get(limit) ?? 0)] as const);
  const total = grown.find(([limit]) => limit === Infinity)?.[1] ?? 0;
  if (total === 0) return undefined;
  const at = (share: number): number =>
    (grown.toSorted(([a], [b]) => a - b).find(([, count]) => count >= share * total)?.[0] ?? Infinity) * 1000;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Summed over all other labels. */
function buckets(text: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${metric}_bucket\\{([^}]*)\\} (\\S+)`, 'gm'))) {
    const le = /le="([^"]+)"/.exec(labels)?.[1];
    const limit = le === '+Inf' ? Infinity : Number(le);
    found.set(limit, (found.get(limit) ?? 0) + Number(value));
  }
  return found;
}
