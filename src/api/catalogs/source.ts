/** What the clusters offer to make machines of, kept by watch elsewhere. */
import type { OfferedEntry } from '../../virt/catalog/entry.ts';

export type { Offer, OfferedEntry } from '../../virt/catalog/entry.ts';

export interface CatalogSource {
  /**
   * Every entry once, whatever the number of clusters that offer it; the definition is the default cluster's, or the first by name. The same array as
   * long as nothing has changed, so that whoever computes something from it can keep that.
   */
  entries(): readonly OfferedEntry[];
  /** Clusters whose offers are not known, or may be old, and why. */
  unavailable(): readonly { readonly cluster: string; readonly message: string }[];
}
