/**
 * `CatalogWatch` knows what the clusters of the fleet offer to create VMs from: templates and boot images, followed by
 * watch in every replica of the API server. Requests may read it at any time. A read asks no cluster: it returns what
 * was last known, and names the clusters whose entries are unknown at the moment.
 */
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Engageable, Fleet } from '../../fleet/fleet.ts';
import { systemClock, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { CatalogEntry, EntryKind, OfferedEntry } from '../../kubevirt/catalog/entry.ts';
import type { InstanceType, Preference } from '../../kubevirt/catalog/instance-type.ts';
import type { StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { ClusterOffers } from './cluster-offers.ts';
import { merge } from './merge.ts';

export interface CatalogWatchOptions {
  readonly fleet: Pick<Fleet, 'stateOf' | 'listConfigs'>;
  /** Clusters that do not answer now and have no KubevirtConfig. The own cluster may be one. */
  readonly silent?: () => readonly string[];
  /**
   * The namespaces with OpenShift's templates for all tenants. A user who can write there decides what every tenant is
   * offered.
   */
  readonly templateNamespaces?: readonly string[];
  /** The namespaces with boot images, on OpenShift and elsewhere. */
  readonly imageNamespaces?: readonly string[];
  /** The default is `templateNamespaces`. */
  readonly virtualMachineTemplateNamespaces?: readonly string[];
  /** When several clusters offer the same entry, the definition in this cluster is used. */
  readonly defaultCluster: string;
  readonly log: Logger;
  readonly registry: Registry;
  readonly clock?: Clock;
  readonly lookMs?: number;
  readonly lookAgainMs?: number;
  readonly awayAfterMs?: number;
}

export interface UnavailableCluster {
  readonly cluster: string;
  readonly message: string;
}

export interface CatalogWatch extends Engageable {
  /** Returns the same array until something changes. */
  entries(): readonly OfferedEntry[];
  unavailable(): readonly UnavailableCluster[];
  /** The entry as that cluster defines it. */
  entryIn(cluster: string, entry: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>): CatalogEntry | undefined;
  instancetype(cluster: string, name: string): InstanceType | undefined;
  instancetypes(cluster: string): readonly InstanceType[];
  preference(cluster: string, name: string): boolean;
  imageNamespaces(): readonly string[];
  preferences(cluster: string): readonly Preference[];
  /** Whether the instance types and preferences of that cluster have been read. */
  known(cluster: string): boolean;
  /** Sorted by name. Undefined if the list is unknown or may be outdated. */
  storageClasses(cluster: string): readonly StorageClassFacts[] | undefined;
  /** Resolves when all work for clusters has ended. */
  stop(): Promise<void>;
}

export const defaultTemplateNamespaces: readonly string[] = ['openshift'];
export const defaultImageNamespaces: readonly string[] = ['openshift-virtualization-os-images', 'kubevirt-os-images'];

export function createCatalogWatch(options: CatalogWatchOptions): CatalogWatch {
  return new FleetCatalog(options);
}

class FleetCatalog implements CatalogWatch {
  readonly #options: CatalogWatchOptions;
  readonly #clock: Clock;
  readonly #namespaces: Readonly<Record<EntryKind, readonly string[]>>;
  readonly #clusters = new Map<string, ClusterOffers>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #changes = 0;
  #merged: { readonly of: string; readonly entries: readonly OfferedEntry[] } | undefined;

  constructor(options: CatalogWatchOptions) {
    const {
      templateNamespaces = defaultTemplateNamespaces,
      imageNamespaces = defaultImageNamespaces,
      virtualMachineTemplateNamespaces = templateNamespaces,
      clock = systemClock,
    } = options;
    this.#options = options;
    this.#clock = clock;
    this.#namespaces = {
      Template: templateNamespaces,
      VirtualMachineTemplate: virtualMachineTemplateNamespaces,
      DataSource: imageNamespaces,
    };
    this.#measure(options.registry);
  }

  engage(cluster: Cluster): void {
    if (this.#clusters.get(cluster.name)?.cluster === cluster || this.#stopping.signal.aborted) return;
    const { fleet, log, lookMs = 1000, lookAgainMs = 60_000, awayAfterMs = 10_000 } = this.#options;
    const offers = new ClusterOffers({
      cluster,
      namespacesOf: (kind) => this.#namespaces[kind],
      changed: () => this.#changes++,
      trouble: () =>
        troubleOf(fleet, cluster.name) ?? (this.#isSilent(cluster.name) ? 'it does not answer' : undefined),
      clock: this.#clock,
      log,
      lookMs,
      lookAgainMs,
      awayAfterMs,
    });
    this.#clusters.set(cluster.name, offers);
    this.#changes++;
    const run = offers
      .run(this.#stopping.signal)
      .catch((error: unknown) => log.error({ err: error, cluster: cluster.name }, 'catalog watch ended'))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  entries(): readonly OfferedEntry[] {
    const shares = this.#present().map((offers) => ({
      cluster: offers.cluster.name,
      absence: offers.absence(),
      offers,
    }));
    const of = `${this.#changes} ${shares.map(({ cluster, absence }) => `${cluster}=${absence}`).join()}`;
    if (this.#merged?.of !== of)
      this.#merged = { of, entries: merge(shares.map((share) => ({ ...share, entries: share.offers.entries() }))) };
    return this.#merged.entries;
  }

  unavailable(): readonly UnavailableCluster[] {
    const known = new Map(this.#present().map((offers) => [offers.cluster.name, offers.absence() || offers.gaps()]));
    // A cluster that has never been reached has no known entries.
    const { fleet, silent = () => [] } = this.#options;
    for (const name of [...fleet.listConfigs().map(({ metadata }) => metadata.name), ...silent()])
      if (name !== undefined && !known.has(name))
        known.set(name, 'The cluster has not been reached yet: its catalog entries are unknown.');
    return [...known]
      .filter(([, message]) => message !== '')
      .map(([cluster, message]) => ({ cluster, message }))
      .toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
  }

  entryIn(cluster: string, entry: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>): CatalogEntry | undefined {
    return this.#clusters.get(cluster)?.entry(entry);
  }

  instancetype(cluster: string, name: string): InstanceType | undefined {
    return this.#clusters.get(cluster)?.instancetype(name);
  }

  instancetypes(cluster: string): readonly InstanceType[] {
    return this.#clusters.get(cluster)?.instancetypes() ?? [];
  }

  imageNamespaces(): readonly string[] {
    return this.#namespaces.DataSource;
  }

  preference(cluster: string, name: string): boolean {
    return this.#clusters.get(cluster)?.preference(name) !== undefined;
  }

  preferences(cluster: string): readonly Preference[] {
    return this.#clusters.get(cluster)?.preferences() ?? [];
  }

  known(cluster: string): boolean {
    return this.#clusters.get(cluster)?.sizesRead() ?? false;
  }

  storageClasses(cluster: string): readonly StorageClassFacts[] | undefined {
    return this.#clusters.get(cluster)?.storageClasses();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #isSilent(name: string): boolean {
    return this.#options.silent?.().includes(name) === true;
  }

  /** The default cluster comes first. A cluster that has left the fleet is dropped; it is not unavailable. */
  #present(): readonly ClusterOffers[] {
    const { fleet, defaultCluster } = this.#options;
    for (const [name, { cluster }] of this.#clusters)
      if (cluster.signal.aborted && fleet.stateOf(name) === undefined) this.#clusters.delete(name);
    const first = (offers: ClusterOffers): number => (offers.cluster.name === defaultCluster ? 0 : 1);
    return [...this.#clusters.values()].toSorted(
      (a, b) => first(a) - first(b) || (a.cluster.name < b.cluster.name ? -1 : 1),
    );
  }

  #measure(registry: Registry): void {
    const present = (): readonly ClusterOffers[] => this.#present();
    registry.registerMetric(
      new Gauge({
        name: 'ssvirt_catalog_entries',
        help: 'Templates and boot images that a cluster offers, as last known',
        labelNames: ['cluster', 'kind'] as const,
        registers: [],
        collect() {
          this.reset();
          for (const offers of present())
            for (const { kind, size } of offers.sizes()) this.set({ cluster: offers.cluster.name, kind }, size);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'ssvirt_catalog_cluster_available',
        help: '1 if the catalog entries of the cluster can be used now',
        labelNames: ['cluster'] as const,
        registers: [],
        collect() {
          this.reset();
          for (const offers of present()) this.set({ cluster: offers.cluster.name }, offers.absence() === '' ? 1 : 0);
        },
      }),
    );
  }
}

/** Why the fleet cannot use the cluster. A cluster that works in part counts as usable. */
function troubleOf(fleet: CatalogWatchOptions['fleet'], name: string): string | undefined {
  const state = fleet.stateOf(name);
  return state === undefined || state.status === 'Connected' || state.status === 'Connecting'
    ? undefined
    : state.message || state.status;
}
