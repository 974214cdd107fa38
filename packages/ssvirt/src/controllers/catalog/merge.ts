/**
 * `merge` combines the catalog entries of several clusters into one list: each entry once, with the clusters that have
 * it.
 */
import type { CatalogEntry, Offer, OfferedEntry } from '../../kubevirt/catalog/entry.ts';

export interface ClusterShare {
  readonly cluster: string;
  /** Why the cluster's entries cannot be used now; empty if they can. */
  readonly absence: string;
  readonly entries: Iterable<CatalogEntry>;
}

/** The definition comes from the first share that has the entry, so the order of the shares matters. */
export function merge(shares: readonly ClusterShare[]): readonly OfferedEntry[] {
  const merged = new Map<string, { readonly entry: CatalogEntry; readonly offers: Offer[] }>();
  for (const { cluster, absence, entries } of shares)
    for (const entry of entries) {
      const key = `${entry.kind} ${entry.namespace}/${entry.name}`;
      const message = absence || entry.message;
      const offer: Offer = { cluster, available: absence === '' && entry.ready, message };
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { entry, offers: [offer] });
      else known.offers.push(offer);
    }
  return [...merged]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { entry, offers }]) => ({
      entry,
      offers: offers.toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1)),
    }));
}
