/**
 * What an installation runs, in this process: the API on a socket, the fleet, the workers of one replica, and a
 * vm-controller.
 */
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ClusterDirectory } from '../../packages/ssvirt/src/api/clusters/directory.ts';
import { createCatalogWatch } from '../../packages/ssvirt/src/controllers/catalog/catalog-watch.ts';
import type { TenancySettings } from '../../packages/ssvirt/src/controllers/tenancy/engine/settings.ts';
import { createTenancy } from '../../packages/ssvirt/src/controllers/tenancy/engine/tenancy.ts';
import { databaseRows } from '../../packages/ssvirt/src/controllers/vm-status/watch/database-rows.ts';
import { VmStatusController } from '../../packages/ssvirt/src/controllers/vm-status/vm-status.ts';
import { createLeaderStore } from '../../packages/ssvirt/src/db/observations/leaders.ts';
import { createObservationStore } from '../../packages/ssvirt/src/db/observations/store.ts';
import { createSyncFailureStore } from '../../packages/ssvirt/src/db/observations/sync-failures.ts';
import { clusterIsCurrent } from '../../packages/ssvirt/src/db/clusters/staleness.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import { FleetDirectory } from '../../packages/ssvirt/src/processes/cluster-directory.ts';
import { startApi, type ApiHarness } from '../api/harness.ts';
import { unique } from '../database/rows.ts';
import { startFleetHarness, type FleetHarness } from '../fleet/harness.ts';
import type { MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { TenancyHarness, testSettings } from '../tenancy/harness.ts';

export interface InstallationOptions {
  readonly settings?: Partial<TenancySettings>;
  /** Where clusters offer templates; by default they offer none. */
  readonly templateNamespaces?: readonly string[];
}

/** For a busy host. */
const patient = { deadlineMs: 60_000 };

interface Parts {
  readonly fleets: FleetHarness;
  readonly api: ApiHarness;
  readonly fleet: Fleet;
  readonly directory: FleetDirectory;
  readonly endOffers: () => Promise<void>;
}

export class Installation {
  readonly fleets: FleetHarness;
  readonly api: ApiHarness;
  readonly tenancy: TenancyHarness<MemberCluster, FleetHarness>;
  readonly fleet: Fleet;
  readonly clusters: ClusterDirectory;
  readonly #log: Logger = quiet();
  readonly #endOffers: () => Promise<void>;
  #endWork: () => Promise<void>;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  private constructor({ fleets, api, fleet, directory, endOffers }: Parts, settings: Partial<TenancySettings>) {
    this.fleets = fleets;
    this.api = api;
    // The API stops the database, last.
    this.tenancy = new TenancyHarness(fleets, { ...api.test, stop: () => Promise.resolve() });
    this.fleet = fleet;
    this.clusters = directory;
    this.#endOffers = endOffers;
    this.#endWork = this.#work(settings);
    this.#running.push(directory.run({ signal: this.#stopping.signal }));
  }

  static async start({ settings = {}, templateNamespaces }: InstallationOptions = {}): Promise<Installation> {
    const fleets = await startFleetHarness();
    const { fleet } = fleets.fleet();
    const directory = new FleetDirectory(fleet, quiet(), { intervalMs: 300, retryMs: 50 });
    const offers = createCatalogWatch({
      fleet,
      silent: () => directory.silent(),
      templateNamespaces: templateNamespaces ?? [],
      imageNamespaces: [],
      defaultCluster: 'local',
      lookAgainMs: 100,
      log: quiet(),
      registry: new Registry(),
    });
    const release = templateNamespaces === undefined ? (): void => undefined : fleet.serve(offers);
    const endOffers = async (): Promise<void> => {
      release();
      await offers.stop();
    };
    const api = await startApi({ clusters: directory, catalogSource: offers });
    return new Installation({ fleets, api, fleet, directory, endOffers }, settings);
  }

  /** Waits until requests to the cluster would succeed. */
  reached(cluster: string): Promise<void> {
    return until(`the cluster ${cluster} is there`, () => this.clusters.get(cluster)?.available === true, patient);
  }

  /** Replaces the workers of the clusters by others that know the clusters like the first ones. */
  async succeed(settings: Partial<TenancySettings>): Promise<void> {
    await this.#endWork();
    this.#endWork = this.#work(settings);
  }

  #work(settings: Partial<TenancySettings>): () => Promise<void> {
    const { fleet } = this;
    const { runnables, engageable } = createTenancy({
      database: this.api.test.database,
      fleet,
      holder: unique('replica'),
      log: this.#log,
      registry: new Registry(),
      settings: { ...testSettings, ...settings },
    });
    const release = fleet.serve(engageable);
    const stopping = new AbortController();
    const ended = Promise.all(runnables.map((one) => one.run({ signal: stopping.signal })));
    return async () => {
      release();
      stopping.abort();
      await ended;
    };
  }

  /**
   * A vm-controller; resolves when its observations of the cluster count as current. The returned function stops it.
   */
  async watch(cluster: string): Promise<() => Promise<void>> {
    const { database } = this.api.test;
    const { pool } = database;
    const status = new VmStatusController({
      fleet: this.fleet,
      observations: createObservationStore(pool),
      leaders: createLeaderStore(pool),
      syncFailures: createSyncFailureStore(pool),
      changes: databaseRows({ database, log: this.#log }),
      name: 'ssvirt-vm-controller',
      holder: unique('holder'),
      registry: new Registry(),
      log: this.#log,
      // On a busy host contacts may come late, and a stale status gets another answer.
      settings: { staleAfterMs: 120_000 },
    });
    const release = this.fleet.serve(status);
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal, this.#stopping.signal]);
    const ended = Promise.all([status.watching.run({ signal }), status.writing.run({ signal })]);
    this.#running.push(ended);
    const current = async (): Promise<boolean> => {
      const row = this.api.db.selectFrom('clusters').select(clusterIsCurrent.as('is')).where('name', '=', cluster);
      return (await row.executeTakeFirst())?.is === true;
    };
    await until(`what is known of the cluster ${cluster} is current`, current, patient);
    return async () => {
      release();
      stopping.abort();
      await ended;
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
    await Promise.all([this.#endWork(), this.#endOffers()]);
    await this.tenancy.stop();
    await this.api.stop();
  }
}

function quiet(): Logger {
  return pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' });
}
