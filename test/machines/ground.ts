/** What an installation runs, in this process: the API on a socket, the fleet, the work of one replica on its clusters, and a vm-controller. */
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ClusterDirectory } from '../../src/api/clusters/directory.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { TenancySettings } from '../../src/controllers/tenancy/settings.ts';
import { databaseRows } from '../../src/controllers/vm-status/database-rows.ts';
import { VmStatus } from '../../src/controllers/vm-status/vm-status.ts';
import { createLeaderStore } from '../../src/db/observations/leaders.ts';
import { createObservationStore } from '../../src/db/observations/store.ts';
import { createSyncFailureStore } from '../../src/db/observations/sync-failures.ts';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { FleetDirectory } from '../../src/processes/cluster-directory.ts';
import { startApi, type ApiGround } from '../api/ground.ts';
import { unique } from '../database/rows.ts';
import { startFleetGround, type FleetGround } from '../fleet/ground.ts';
import type { MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { TenancyGround } from '../tenancy/ground.ts';

export interface InstallationOptions {
  readonly settings?: Partial<TenancySettings>;
  /** Of the API. */
  readonly deps?: Partial<ApiDeps>;
}

export class Installation {
  readonly fleets: FleetGround;
  readonly api: ApiGround;
  readonly tenancy: TenancyGround<MemberCluster, FleetGround>;
  readonly fleet: Fleet;
  readonly clusters: ClusterDirectory;
  readonly #log: Logger = pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent' });
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  private constructor(parts: Pick<Installation, 'fleets' | 'api' | 'tenancy' | 'fleet'>, directory: FleetDirectory) {
    this.fleets = parts.fleets;
    this.api = parts.api;
    this.tenancy = parts.tenancy;
    this.fleet = parts.fleet;
    this.clusters = directory;
    this.#running.push(directory.run({ signal: this.#stopping.signal }));
  }

  static async start({ settings = {}, deps = {} }: InstallationOptions = {}): Promise<Installation> {
    // Of the clusters the API can be told when there is a fleet, and that needs the database.
    const late: { directory?: FleetDirectory } = {};
    const clusters: ClusterDirectory = {
      list: () => late.directory?.list() ?? [],
      get: (name) => late.directory?.get(name),
    };
    const [fleets, api] = await Promise.all([startFleetGround(), startApi({ clusters, ...deps })]);
    const kept = { ...api.test, stop: () => Promise.resolve() };
    const tenancy = new TenancyGround<MemberCluster, FleetGround>(fleets, kept);
    const { fleet } = tenancy.replica(settings);
    const directory = new FleetDirectory(fleet, pino({ level: 'silent' }), { intervalMs: 300, retryMs: 50 });
    late.directory = directory;
    return new Installation({ fleets, api, tenancy, fleet }, directory);
  }

  /** Until what is asked of it would be done. */
  reached(cluster: string): Promise<void> {
    return until(`the cluster ${cluster} is there`, () => this.clusters.get(cluster)?.available === true);
  }

  /** A vm-controller; resolves when it has read the cluster. The function ends it. */
  async watch(cluster: string): Promise<() => Promise<void>> {
    const { database } = this.api.test;
    const { pool } = database;
    const status = new VmStatus({
      fleet: this.fleet,
      observations: createObservationStore(pool),
      leaders: createLeaderStore(pool),
      syncFailures: createSyncFailureStore(pool),
      changes: databaseRows({ database, log: this.#log }),
      name: 'ssvirt-vm-controller',
      holder: unique('holder'),
      registry: new Registry(),
      log: this.#log,
    });
    const release = this.fleet.serve(status);
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal, this.#stopping.signal]);
    const ended = Promise.all([status.watching.run({ signal }), status.writing.run({ signal })]);
    this.#running.push(ended);
    const state = (): Promise<{ readonly state: string } | undefined> =>
      this.api.db.selectFrom('clusters').select('state').where('name', '=', cluster).executeTakeFirst();
    await until(`the cluster ${cluster} is read`, async () => (await state())?.state === 'synced');
    return async () => {
      release();
      stopping.abort();
      await ended;
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
    await this.tenancy.stop();
    await this.api.stop();
  }
}
