/**
 * `createTenancy` brings rows to clusters, in every replica of the API server: the desired state of VDCs, vApps and VMs
 * is applied in the clusters of the fleet.
 */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { Database } from '../../../db/connection/database.ts';
import type { ReconciledKind } from '../../../db/work-queue/reconciliations.ts';
import type { Engageable, Fleet } from '../../../fleet/fleet.ts';
import { ClusterWork } from './cluster-work.ts';
import { TenancyMetrics } from './metrics.ts';
import { explainWaitingWork } from './waiting-work.ts';
import { wakeOnVms, wakeOnRequests } from './change-wakeup.ts';
import { defaultTenancySettings, type TenancySettings } from './settings.ts';

export interface TenancyOptions {
  readonly database: Database;
  readonly fleet: Pick<Fleet, 'stateOf' | 'identityOf' | 'listConfigs'>;
  /** The name of this process in `reconciliations.owner`. */
  readonly holder: string;
  readonly log: Logger;
  readonly registry: Registry;
  readonly settings?: Partial<TenancySettings>;
  readonly clock?: Clock;
}

export interface Tenancy {
  /** For the manager, on every replica. */
  readonly runnables: readonly Runnable[];
  /** For `fleet.serve`. */
  readonly engageable: Engageable;
}

export function createTenancy(options: TenancyOptions): Tenancy {
  const tenancy = new AllTenancy(options);
  return { runnables: [tenancy], engageable: tenancy };
}

class AllTenancy implements Runnable, Engageable {
  readonly name = 'tenancy';
  readonly needsLeadership = false;
  readonly #options: TenancyOptions;
  readonly #settings: TenancySettings;
  readonly #metrics: TenancyMetrics;
  readonly #clock: Clock;
  readonly #works = new Map<Cluster, ClusterWork>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: TenancyOptions) {
    this.#options = options;
    this.#settings = { ...defaultTenancySettings, ...options.settings };
    this.#metrics = new TenancyMetrics(options.registry);
    this.#clock = options.clock ?? systemClock;
  }

  engage(cluster: Cluster): void {
    if (this.#works.has(cluster) || cluster.signal.aborted) return;
    const { database, fleet, holder, log } = this.#options;
    const work = new ClusterWork({
      db: database.db,
      fleet,
      cluster,
      holder,
      settings: this.#settings,
      metrics: this.#metrics,
      clock: this.#clock,
      log,
    });
    this.#works.set(cluster, work);
    if (this.#signal !== undefined) this.#start(work, this.#signal);
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { database, log } = this.#options;
    this.#signal = signal;
    for (const work of this.#works.values()) this.#start(work, signal);
    const wake = (kind?: ReconciledKind): void => {
      for (const work of this.#works.values()) work.wake(kind);
    };
    const feed = { database, log, clock: this.#clock, wake };
    await Promise.all([
      wakeOnRequests(feed, signal),
      wakeOnVms(feed, this.#settings.gatherMs, signal),
      this.#explain(signal),
    ]);
    this.#signal = undefined;
    await Promise.all(this.#running);
  }

  #start(work: ClusterWork, signal: AbortSignal): void {
    const run = work.run(signal).finally(() => {
      this.#works.delete(work.cluster);
      this.#running.delete(run);
    });
    this.#running.add(run);
  }

  /** Reports why work waits whose cluster was never reached. */
  async #explain(signal: AbortSignal): Promise<void> {
    const { database, fleet, log } = this.#options;
    const { overdueMs } = this.#settings;
    while (!signal.aborted) {
      await sleep(this.#clock, overdueMs, signal);
      if (signal.aborted) return;
      const reached = [...this.#works.keys()].map(({ name }) => name);
      try {
        await explainWaitingWork(database.db, { fleet, reached, overdueMs });
      } catch (error) {
        log.warn({ err: error }, 'cannot update tasks that wait for a cluster, retrying later');
      }
    }
  }
}
