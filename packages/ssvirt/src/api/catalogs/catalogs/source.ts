/** What the clusters offer for creating VMs, kept current by watches. */
import type { CatalogEntry, OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import type { InstanceType, Preference } from '../../../kubevirt/catalog/instance-type.ts';
import type { StorageClassFacts } from '../../../kubevirt/machine/storage-class.ts';

export type { Offer, OfferedEntry } from '../../../kubevirt/catalog/entry.ts';

export interface CatalogSource {
  /**
   * Every entry once, however many clusters offer it. The definition is the default cluster's if it offers the entry,
   * else that of the first cluster by name. Returns the same array until something changes, so that callers can cache
   * what they compute from it.
   */
  entries(): readonly OfferedEntry[];
  /** Clusters whose offers are unknown or may be out of date, with the reason. */
  unavailable(): readonly { readonly cluster: string; readonly message: string }[];
  /** The entry as that cluster has it: its definition may differ from the one that is shown. */
  entryIn(cluster: string, entry: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>): CatalogEntry | undefined;
  /** The instance types of that cluster, by name. */
  instancetypes(cluster: string): readonly InstanceType[];
  instancetype(cluster: string, name: string): InstanceType | undefined;
  preferences(cluster: string): readonly Preference[];
  preference(cluster: string, name: string): boolean;
  /** The namespaces that disks may be cloned from, in every cluster. */
  imageNamespaces(): readonly string[];
  /** Whether instance types and preferences of that cluster have been read. Until then, absence proves nothing. */
  known(cluster: string): boolean;
  /** The storage classes of that cluster, by name; undefined while the list is unknown or may be out of date. */
  storageClasses(cluster: string): readonly StorageClassFacts[] | undefined;
}

/** For when nothing is offered or nothing is known yet. */
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
