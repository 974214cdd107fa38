/** What several clusters offer, as one list: every entry once, with the clusters that have it. */
import type { CatalogEntry, Offer, OfferedEntry } from '../../virt/catalog/entry.ts';

export interface ClusterShare {
  readonly cluster: string;
  /** Why nothing of it can be used now; empty where it can. */
  readonly absence: string;
  readonly entries: Iterable<CatalogEntry>;
}

/** The definition is the first one's that has it: the order of the shares decides. */
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
