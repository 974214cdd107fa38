/** What the clusters offer to make machines of, kept by watch elsewhere. */
import type { CatalogEntry } from '../../virt/catalog/entry.ts';

export interface OfferedEntry {
  readonly entry: CatalogEntry;
  /** Where it is offered, and whether it can be used there now. */
  readonly offers: readonly Offer[];
}

export interface Offer {
  readonly cluster: string;
  readonly available: boolean;
  /** Why it cannot be used; empty where it can. */
  readonly message: string;
}

export interface CatalogSource {
  /** Every entry once, whatever the number of clusters that offer it; the definition is the default cluster's, or the first by name. */
  entries(): readonly OfferedEntry[];
  /** Clusters whose offers are not known, or may be old, and why. */
  unavailable(): readonly { readonly cluster: string; readonly message: string }[];
}
