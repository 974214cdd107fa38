/** What the clusters offer to make machines of, kept by watch elsewhere. */
import type { CatalogEntry, OfferedEntry } from '../../virt/catalog/entry.ts';
import type { InstanceType, Preference } from '../../virt/catalog/instance-type.ts';
import type { StorageClassFacts } from '../../virt/declared-machine/storage-class.ts';

export type { Offer, OfferedEntry } from '../../virt/catalog/entry.ts';

export interface CatalogSource {
  /**
   * Every entry once, whatever the number of clusters that offer it; the definition is the default cluster's, or the first by name. The same array as
   * long as nothing has changed, so that whoever computes something from it can keep that.
   */
  entries(): readonly OfferedEntry[];
  /** Clusters whose offers are not known, or may be old, and why. */
  unavailable(): readonly { readonly cluster: string; readonly message: string }[];
  /** As that cluster has it: its definition may be another than the one that is shown. */
  entryIn(cluster: string, entry: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>): CatalogEntry | undefined;
  /** What machines can be sized by in that cluster, by name. */
  instancetypes(cluster: string): readonly InstanceType[];
  instancetype(cluster: string, name: string): InstanceType | undefined;
  preferences(cluster: string): readonly Preference[];
  preference(cluster: string, name: string): boolean;
  /** Those that disks may be cloned from, in every cluster. */
  imageNamespaces(): readonly string[];
  /** Whether instance types and preferences of that cluster have been read: before, what is not among them may be there. */
  known(cluster: string): boolean;
  /** What disks can be made of in that cluster, by name; undefined while the list is not known, or may be old. */
  storageClasses(cluster: string): readonly StorageClassFacts[] | undefined;
}

/** Where nothing is offered, or nothing is known yet. */
export const nothingOffered: CatalogSource = {
  entries: () => [],
  unavailable: () => [],
  entryIn: () => undefined,
  instancetypes: () => [],
  instancetype: () => undefined,
  preferences: () => [],
  preference: () => false,
  imageNamespaces: () => [],
  known: () => false,
  storageClasses: () => undefined,
};
