/**
 * `VmStatusController` writes the state of clusters to rows. Every replica watches the VMs of every cluster of the
 * fleet and keeps a few facts of each; the leader writes what follows from them. Values are derived at the moment of
 * writing, so nothing older than what is known can reach the database.
 */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { parseKey } from '@ssvirt/kube/object';
import type { Runnable, RunContext } from '@ssvirt/kube/manager/runnable';
import type { Engageable, Fleet } from '../../fleet/fleet.ts';
import type { LeaderStore, ObservationStore, SyncFailureStore, WriterTerm } from '../../db/observations/contracts.ts';
import { ClusterStates } from './cluster-states.ts';
import { ClusterWatch } from './watch/cluster-watch.ts';
import { ClusterContacts } from './contacts.ts';
import { Derivation } from './derivation.ts';
import { ClusterDetailsReader } from './cluster-details.ts';
import { beat, raiseEpoch, type LeadershipParts } from './leadership.ts';
import { VmStatusMetrics } from './metrics.ts';
import { Pending, type Mark } from './write/pending.ts';
import { Reports } from './write/reports.ts';
import { Retries } from './write/retries.ts';
import { Returned } from './watch/returned.ts';
import type { RowChanges } from './watch/row-changes.ts';
import { countsForMs, defaultSettings, type VmStatusSettings } from './settings.ts';
import { Sweeper, type Swept } from './watch/sweeper.ts';
import { Troubles } from './troubles.ts';
import { VdcNamespaces } from './watch/vdc-namespaces.ts';
import { Writer } from './write/writer.ts';

export interface VmStatusOptions {
  readonly fleet: Fleet;
  readonly observations: ObservationStore;
  readonly leaders: LeaderStore;
  readonly syncFailures: SyncFailureStore;
  /** Changes that others make to rows. */
  readonly changes: RowChanges;
  readonly settings?: Partial<VmStatusSettings>;
  /** The name in the table `leaders`. */
  readonly name: string;
  /** The identity of this process. */
  readonly holder: string;
  readonly registry: Registry;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** By cluster: VMs in namespaces of VDCs that have no row yet. */
type Unmanaged = Map<string, Set<string>>;

export class VmStatusController implements Engageable {
  readonly #options: VmStatusOptions;
  readonly #settings: VmStatusSettings;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #pending = new Pending();
  readonly #watches = new Map<string, ClusterWatch>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #vdcs: VdcNamespaces;
  readonly #metrics: VmStatusMetrics;
  readonly #troubles: Troubles;
  readonly #retries: Retries;
  readonly #reports: Reports;
  readonly #states: ClusterStates;
  readonly #contacts: ClusterContacts;
  readonly #details: ClusterDetailsReader;
  readonly #sweeper: Sweeper;
  readonly #returned: Returned;
  readonly #unmanaged: Unmanaged = new Map();

  constructor(options: VmStatusOptions) {
    const { clock = systemClock, log, observations, syncFailures, registry, fleet } = options;
    this.#options = options;
    this.#settings = { ...defaultSettings, ...options.settings };
    this.#clock = clock;
    this.#log = log;
    this.#vdcs = new VdcNamespaces(observations);
    const pending = this.#pending;
    this.#metrics = new VmStatusMetrics(registry, {
      pending: () => pending.size,
      failing: () => this.#retries.failing,
    });
    this.#troubles = new Troubles(clock, (cluster, key) => pending.machine(cluster, key, clock.now()));
    this.#reports = new Reports({
      metrics: this.#metrics,
      clusterOf: (name) => this.#watches.get(name)?.cluster,
      uidOf: ({ cluster, key }) => this.#watches.get(cluster)?.scopeOf(key)?.uidOf(key),
      unmanaged: (mark, isSo) => this.#noteUnmanaged(mark, isSo),
      contested: (mark, uid) => this.#returned.ask(mark, uid),
      recovered: () => this.#markAll(),
      clock,
      log,
    });
    const { baseDelayMs, maxDelayMs, maxRetries, staleAfterMs, heartbeatMs, askConcurrency } = this.#settings;
    this.#retries = new Retries({
      store: syncFailures,
      pending,
      clock,
      log,
      baseDelayMs,
      maxDelayMs,
      maxRetries,
      failed: (mark, failure) => this.#reports.rowFailed(mark, failure),
    });
    this.#sweeper = new Sweeper({
      store: observations,
      gone: (cluster, key, uid) => pending.gone(cluster, key, uid, clock.now()),
      concurrency: askConcurrency,
      clock,
      log,
    });
    this.#returned = new Returned({
      clientOf: (name) => this.#watches.get(name)?.cluster.client,
      found: ({ cluster, key }) => pending.machine(cluster, key, clock.now()),
      concurrency: askConcurrency,
      log,
    });
    this.#states = new ClusterStates({
      fleet,
      store: observations,
      watches: () => this.#watches,
      waits: (cluster, by) => pending.waits(cluster, by),
      admitted: (watch) => this.#admitted(watch),
      trouble: (cluster) => this.#contacts.troubleOf(cluster),
      clock,
      log,
      staleAfterMs,
    });
    this.#contacts = new ClusterContacts({
      store: observations,
      watches: () => this.#watches,
      mayContact: (watch) => this.#states.isAdmitted(watch),
      isWritten: (cluster, by) => pending.isWritten(cluster, by),
      isCompared: (cluster) => pending.isCompared(cluster),
      recovered: () => this.#states.wake(),
      noteWatches: (cluster, trouble) => fleet.noteWatches(cluster, trouble),
      clock,
      log,
      heartbeatMs,
      countsForMs: countsForMs(this.#settings),
    });
    this.#details = new ClusterDetailsReader({
      store: observations,
      watches: () => this.#watches,
      isAdmitted: (watch) => this.#states.isAdmitted(watch),
      clock,
      log,
    });
  }

  engage(cluster: Cluster): void {
    if (this.#watches.get(cluster.name)?.cluster === cluster || this.#stopping.signal.aborted) return;
    const watch: ClusterWatch = new ClusterWatch({
      cluster,
      namespaces: () => this.#vdcs.of(cluster.name),
      clock: this.#clock,
      log: this.#log,
      listener: {
        machine: (key, initial) => {
          if (this.#states.isAdmitted(watch))
            this.#pending.machine(cluster.name, key, initial ? undefined : this.#clock.now());
        },
        gone: (key, uid) => {
          this.#returned.forget({ cluster: cluster.name, key });
          // A new VM of the same name starts without trouble.
          this.#troubles.end(cluster.name, key);
          if (this.#states.isAdmitted(watch)) this.#pending.gone(cluster.name, key, uid, this.#clock.now());
          this.#unmanaged.get(cluster.name)?.delete(key);
        },
        template: (key, initial) => {
          if (this.#states.isAdmitted(watch))
            this.#pending.vapp(cluster.name, key, initial ? undefined : this.#clock.now());
        },
        listed: () => this.#sweep(watch),
      },
    });
    this.#watches.set(cluster.name, watch);
    this.#states.wake();
    const running = watch.run(this.#stopping.signal).finally(() => {
      this.#running.delete(running);
      if (this.#watches.get(cluster.name) !== watch) return;
      this.#watches.delete(cluster.name);
      this.#forget(cluster.name);
    });
    this.#running.add(running);
  }

  /** On every replica: a standby already knows the VMs when it becomes leader. */
  readonly watching: Runnable = {
    name: 'vm-status-watches',
    needsLeadership: false,
    run: async ({ signal }) => {
      await this.#options.changes.follow({
        machines: (machines) => {
          for (const { cluster, namespace, name } of machines) this.#markKnown(cluster, `${namespace}/${name}`);
        },
        vapps: (vdcs) => this.#markUnmanaged(vdcs),
        retries: (places) => {
          for (const { cluster, namespace, name } of places) this.#retries.retryNow(cluster, `${namespace}/${name}`);
        },
        vdcs: () => this.#readNamespaces(),
        signal,
      });
      this.#stopping.abort();
      await Promise.all(this.#running);
      this.#troubles.stop();
    },
  };

  readonly writing: Runnable = {
    name: 'vm-status',
    run: (context) => this.#lead(context),
  };

  /** For the heartbeat. */
  details(): Readonly<Record<string, unknown>> {
    const clusters = this.#states.states().map(({ name, state, message, unreadableNamespaces }) => ({
      name,
      state,
      ...(message === '' ? {} : { message }),
      ...(unreadableNamespaces.length === 0 ? {} : { unreadableNamespaces }),
      vms: this.#watches.get(name)?.size ?? 0,
    }));
    return {
      clusters,
      pending: this.#pending.size,
      failing: this.#retries.failing,
      countsForMs: countsForMs(this.#settings),
    };
  }

  async #lead({ signal, term: lease }: RunContext): Promise<void> {
    const { leaders, name, holder } = this.#options;
    const { heartbeatMs } = this.#settings;
    const parts: LeadershipParts = { store: leaders, name, holder, clock: this.#clock, log: this.#log, heartbeatMs };
    const term = await raiseEpoch(parts, lease?.epoch ?? epochWithoutLease(this.#clock), signal);
    if (term === undefined) return;
    const ending = new AbortController();
    const until = AbortSignal.any([signal, ending.signal]);
    const lost = lease?.signal ?? new AbortController().signal;
    // Before clusters are admitted: an admission marks everything known of the cluster and sweeps its rows.
    this.#pending.open();
    this.#sweeper.begin(until);
    const work = [
      this.#write(term, until, lost),
      beat(parts, term, () => this.details(), until),
      this.#states.run(term, until),
      this.#contacts.run(term, until),
      this.#details.run(term, until),
      this.#reports.run(until),
      this.#resync(until),
    ];
    try {
      // The first failure ends the other parts.
      await Promise.all(work);
    } finally {
      ending.abort();
      await Promise.allSettled(work);
      await this.#sweeper.stop();
      await this.#returned.stop();
      await this.#retries.stop();
    }
  }

  async #write(term: WriterTerm, signal: AbortSignal, lost: AbortSignal): Promise<void> {
    const { observations } = this.#options;
    const { windowMs, maxBatch } = this.#settings;
    await this.#recall(term, signal);
    const writer = new Writer({
      store: observations,
      pending: this.#pending,
      source: new Derivation({
        watchOf: (cluster) => this.#admittedWatch(cluster),
        troubles: this.#troubles,
        returned: this.#returned,
      }),
      retries: this.#retries,
      reports: this.#reports,
      clock: this.#clock,
      log: this.#log,
      windowMs,
      maxBatch,
    });
    await writer.run(term, signal, lost);
  }

  /** Continues with the sync failures and the troubles that earlier leaders have recorded. */
  async #recall(term: WriterTerm, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#retries.begin(term);
        this.#troubles.recall(await this.#options.observations.troubledVms());
        return;
      } catch (error) {
        this.#log.warn({ err: error }, 'cannot read earlier sync failures and troubles, retrying');
        await sleep(this.#clock, 1000, signal);
      }
    }
  }

  /** Periodically marks everything: the database compares, and writes only what differs. */
  async #resync(signal: AbortSignal): Promise<void> {
    const { resyncMs } = this.#settings;
    // Zero means never, as with informers, and not continuously.
    if (resyncMs === 0) return;
    for (;;) {
      await sleep(this.#clock, resyncMs, signal);
      if (signal.aborted) return;
      await this.#refreshNamespaces();
      this.#markAll();
      for (const watch of this.#watches.values()) this.#sweep(watch);
    }
  }

  #admittedWatch(cluster: string): ClusterWatch | undefined {
    const watch = this.#watches.get(cluster);
    return watch !== undefined && this.#states.isAdmitted(watch) ? watch : undefined;
  }

  #admitted(watch: ClusterWatch): void {
    this.#markCluster(watch);
    this.#sweep(watch);
  }

  #markAll(): void {
    for (const watch of this.#watches.values()) if (this.#states.isAdmitted(watch)) this.#markCluster(watch);
  }

  #markCluster(watch: ClusterWatch): void {
    const { name } = watch.cluster;
    for (const key of watch.keys()) this.#pending.machine(name, key);
    for (const key of watch.templateInstanceKeys()) this.#pending.vapp(name, key);
  }

  /** A row was created or changed: its VM may already exist. */
  #markKnown(cluster: string, key: string): void {
    const watch = this.#watches.get(cluster);
    if (watch === undefined || !this.#states.isAdmitted(watch) || watch.scopeOf(key)?.uidOf(key) === undefined) return;
    this.#pending.machine(cluster, key, this.#clock.now());
  }

  /** A vApp has come, in these VDCs or in any: VMs without a row in its VDC may belong to it. */
  #markUnmanaged(vdcs?: readonly { readonly cluster: string; readonly namespace: string }[]): void {
    const places = new Set(vdcs?.map(({ cluster, namespace }) => `${cluster} ${namespace}`));
    const isMeant = (cluster: string, key: string): boolean =>
      vdcs === undefined || places.has(`${cluster} ${parseKey(key).namespace ?? ''}`);
    for (const [cluster, keys] of this.#unmanaged)
      for (const key of keys) if (isMeant(cluster, key)) this.#markKnown(cluster, key);
    // VMs that are being written may turn out to be unmanaged, and the database may have looked before this vApp
    // existed.
    for (const { cluster, key } of this.#pending.underWay()) if (isMeant(cluster, key)) this.#markKnown(cluster, key);
    for (const watch of this.#watches.values()) {
      const { name } = watch.cluster;
      if (!this.#states.isAdmitted(watch)) continue;
      for (const key of watch.templateInstanceKeys()) if (isMeant(name, key)) this.#pending.vapp(name, key);
    }
  }

  async #refreshNamespaces(): Promise<void> {
    try {
      await this.#readNamespaces();
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot read VDC namespaces, using the last known ones');
    }
  }

  async #readNamespaces(): Promise<void> {
    const fresh = await this.#vdcs.refresh();
    this.#metrics.setNamespaces(this.#vdcs.all());
    for (const [cluster, namespaces] of fresh) {
      const watch = this.#watches.get(cluster);
      if (watch === undefined || !this.#states.isAdmitted(watch)) continue;
      for (const key of watch.keys()) if (namespaces.has(parseKey(key).namespace ?? '')) this.#markKnown(cluster, key);
    }
  }

  #noteUnmanaged({ cluster, key }: Mark, isSo: boolean): void {
    if (!isSo) return void this.#unmanaged.get(cluster)?.delete(key);
    const { namespace = '' } = parseKey(key);
    if (!this.#vdcs.has(cluster, namespace)) return;
    this.#unmanaged.set(cluster, (this.#unmanaged.get(cluster) ?? new Set()).add(key));
  }

  #sweep(watch: ClusterWatch): void {
    if (!this.#states.isAdmitted(watch)) return;
    const { cluster } = watch;
    const swept: Swept = {
      name: cluster.name,
      client: cluster.client,
      signal: cluster.signal,
      uidOf: (key) => watch.scopeOf(key)?.uidOf(key),
      covers: (namespace) => watch.covers(namespace),
    };
    this.#sweeper.sweep(swept);
  }

  #forget(cluster: string): void {
    this.#pending.forget(cluster);
    this.#retries.forget(cluster);
    this.#troubles.forget(cluster);
    this.#unmanaged.delete(cluster);
  }
}

/**
 * On the same scale as the epochs of Leases, so that the two modes can follow each other. Milliseconds count, for a
 * process that restarts at once.
 */
function epochWithoutLease(clock: Clock): number {
  return Math.floor((clock.date().getTime() / 1000) * 2 ** 20);
}
