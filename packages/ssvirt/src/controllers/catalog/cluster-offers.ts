/** `ClusterOffers` holds what one cluster offers, and whether that information is current. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { CatalogEntry, EntryKind } from '../../kubevirt/catalog/entry.ts';
import type { InstanceType, Preference } from '../../kubevirt/catalog/instance-type.ts';
import type { StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { KindWatch, wholeCluster } from './kind-watch.ts';
import { soughtInstancetypes, soughtKinds, soughtPreferences, soughtStorageClasses } from './sought-kinds.ts';

export interface ClusterOffersParts {
  readonly cluster: Cluster;
  readonly namespacesOf: (kind: EntryKind) => readonly string[];
  readonly changed: () => void;
  /** Why the fleet cannot use the cluster; undefined if it knows of no problem. */
  readonly trouble: () => string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lookMs: number;
  readonly lookAgainMs: number;
  /**
   * A broken watch usually recovers soon. The cluster counts as unavailable only after failures have lasted this long.
   */
  readonly awayAfterMs: number;
}

/** These sentences are shown to users, including tenants. The cause is for the provider and is only logged. */
const sentences = {
  away: 'The cluster does not answer: its catalog entries are shown as last known.',
  unread: 'The cluster has not been read yet.',
} as const;

export class ClusterOffers {
  readonly cluster: Cluster;
  readonly #parts: ClusterOffersParts;
  readonly #log: Logger;
  readonly #kinds: readonly KindWatch<CatalogEntry, EntryKind>[];
  readonly #instancetypes: KindWatch<InstanceType>;
  readonly #preferences: KindWatch<Preference>;
  /** Not part of `#all`: entries are usable without storage classes, and then only the cluster checks disks. */
  readonly #storageClasses: KindWatch<StorageClassFacts>;
  readonly #all: readonly KindWatch<unknown>[];
  #sizesRead = false;
  #reported = '';
  #classesForbidden = false;

  constructor(parts: ClusterOffersParts) {
    const { cluster, changed, clock, lookAgainMs, namespacesOf } = parts;
    this.cluster = cluster;
    this.#parts = parts;
    this.#log = parts.log.child({ cluster: cluster.name });
    const shared = { cluster, changed, clock, lookAgainMs };
    this.#kinds = soughtKinds.map(
      (sought) => new KindWatch({ ...shared, sought, namespaces: namespacesOf(sought.kind) }),
    );
    this.#instancetypes = new KindWatch({ ...shared, sought: soughtInstancetypes, namespaces: wholeCluster });
    this.#preferences = new KindWatch({ ...shared, sought: soughtPreferences, namespaces: wholeCluster });
    this.#storageClasses = new KindWatch({ ...shared, sought: soughtStorageClasses, namespaces: wholeCluster });
    this.#all = [...this.#kinds, this.#instancetypes, this.#preferences];
  }

  *entries(): Generator<CatalogEntry> {
    for (const kind of this.#kinds) yield* kind.entries();
  }

  entry({ kind, namespace, name }: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>): CatalogEntry | undefined {
    return this.#kinds.find((watch) => watch.kind === kind)?.entry(name, namespace);
  }

  instancetype(name: string): InstanceType | undefined {
    return this.#instancetypes.entry(name);
  }

  instancetypes(): readonly InstanceType[] {
    return inOrder(this.#instancetypes.entries());
  }

  preference(name: string): Preference | undefined {
    return this.#preferences.entry(name);
  }

  preferences(): readonly Preference[] {
    return inOrder(this.#preferences.entries());
  }

  /** Undefined if the list is unknown or may be outdated. */
  storageClasses(): readonly StorageClassFacts[] | undefined {
    const { trouble } = this.#parts;
    if (this.cluster.signal.aborted || trouble() !== undefined || !this.#storageClasses.reading().current)
      return undefined;
    return inOrder(this.#storageClasses.entries());
  }

  /**
   * Whether the instance types and preferences have been read at least once. Until the list is complete, absence proves
   * nothing.
   */
  sizesRead(): boolean {
    this.#sizesRead ||= [this.#instancetypes, this.#preferences].every((kind) => {
      const { settled, forbidden } = kind.reading();
      return settled && forbidden.length === 0;
    });
    return this.#sizesRead;
  }

  sizes(): readonly { readonly kind: string; readonly size: number }[] {
    return this.#all.map(({ kind, size }) => ({ kind, size }));
  }

  /** Why the cluster's entries cannot be used now; empty if they can. */
  absence(): string {
    const { clock, trouble, awayAfterMs } = this.#parts;
    if (this.cluster.signal.aborted || trouble() !== undefined) return sentences.away;
    const readings = this.#all.map((kind) => kind.reading());
    const isAway = readings.some(
      ({ failingSince }) => failingSince !== undefined && clock.now() - failingSince >= awayAfterMs,
    );
    if (isAway) return sentences.away;
    return readings.every(({ settled }) => settled) ? '' : sentences.unread;
  }

  /** What is missing although the cluster answers; empty if nothing is. */
  gaps(): string {
    return this.#all
      .map((kind) => ({ resource: kind.resource, ...kind.reading() }))
      .filter(({ forbidden }) => forbidden.length > 0)
      .map(({ resource, forbidden: [first, ...rest] }) => {
        const where = first === undefined || first === '' ? '' : ` in ${[first, ...rest].join(', ')}`;
        return `${resource}${where} may not be read by this installation.`;
      })
      .join(' ');
  }

  /** Runs until the cluster leaves or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, cluster, lookMs } = this.#parts;
    const either = AbortSignal.any([signal, cluster.signal]);
    while (!either.aborted) {
      await Promise.all([...this.#all, this.#storageClasses].map((kind) => kind.look(either)));
      this.sizesRead();
      this.#report();
      this.#reportStorageClasses();
      await sleep(clock, lookMs, either);
    }
    for (const kind of [...this.#all, this.#storageClasses]) kind.close();
  }

  #reportStorageClasses(): void {
    const { forbidden, lastError } = this.#storageClasses.reading();
    const isForbidden = forbidden.length > 0;
    if (isForbidden === this.#classesForbidden) return;
    this.#classesForbidden = isForbidden;
    if (isForbidden)
      this.#log.warn({ err: lastError }, 'storage classes cannot be read, requests are accepted without a check');
    else this.#log.info('storage classes readable');
  }

  #report(): void {
    const absence = this.absence();
    const text = absence === sentences.unread ? '' : absence || this.gaps();
    if (text === this.#reported) return;
    this.#reported = text;
    this.#parts.changed();
    const error = this.#all.map((kind) => kind.reading().lastError).find((one) => one !== undefined);
    const why = this.#parts.trouble();
    if (text === '') this.#log.info('templates and images readable');
    else
      this.#log.warn(
        {
          reason: text,
          ...defined({ fleet: why, err: error }),
        },
        'cannot read all templates and images',
      );
  }
}

function inOrder<E extends { readonly name: string }>(entries: Iterable<E>): readonly E[] {
  return [...entries].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
