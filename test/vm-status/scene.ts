/**
 * One cluster with everything simulated, one database, and the controller between them, all but the server in this
 * process.
 */
import { defined } from '@ssvirt/base/values/defined';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { databaseRows } from '../../packages/ssvirt/src/controllers/vm-status/watch/database-rows.ts';
import type { VmStatusSettings } from '../../packages/ssvirt/src/controllers/vm-status/settings.ts';
import { VmStatusController } from '../../packages/ssvirt/src/controllers/vm-status/vm-status.ts';
import { createLeaderStore } from '../../packages/ssvirt/src/db/observations/leaders.ts';
import { createObservationStore } from '../../packages/ssvirt/src/db/observations/store.ts';
import { createSyncFailureStore } from '../../packages/ssvirt/src/db/observations/sync-failures.ts';
import type { Vapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import { createFleet } from '../../packages/ssvirt/src/fleet/create-fleet.ts';
import { errorFields } from '../../packages/kube/src/error-fields.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { connectCluster } from '../../packages/kube/src/connect-cluster.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { namespaces, virtualMachines } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { startSimulators, type PartName, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { makeOrganization, makeVapp, makeVdc, unique } from '../database/rows.ts';
import { install, kubevirtConfigDefinition } from '../fleet/definition.ts';
import { fixedSource } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { LeapClock } from './leap-clock.ts';
import { Rows } from './rows.ts';

export interface SceneCluster extends Credentials {
  stop(): Promise<void>;
}

export interface SceneOptions {
  readonly start: () => Promise<SceneCluster>;
  readonly parts?: readonly PartName[];
  readonly speed?: number;
  readonly settings?: Partial<VmStatusSettings>;
}

/** A line of the log. */
export type Line = Readonly<Record<string, unknown>> & { readonly msg?: string };

export interface Running {
  readonly status: VmStatusController;
  readonly registry: Registry;
  stop(): Promise<void>;
}

export interface Place {
  readonly namespace: string;
  readonly vdc: Vdc;
  readonly vapp: Vapp;
}

const KUBEVIRT_CONFIGS = 'kubevirt-configs';
const times = { intervalMs: 1000, deadlineMs: 10_000, probeMs: 5000, retryMs: 50 } as const;
const reflector = { backoff: { initialMs: 50, factor: 2, maxMs: 400, jitter: 0.5 } } as const;

export class Scene {
  readonly cluster: SceneCluster;
  readonly client: Client;
  readonly database: TestDatabase;
  readonly rows: Rows;
  readonly clock = new LeapClock();
  readonly lines: Line[] = [];
  readonly simulators: Simulators;
  readonly #settings: Partial<VmStatusSettings>;
  readonly #log: Logger;
  readonly #running = new Set<Running>();

  private constructor(
    parts: { cluster: SceneCluster; client: Client; database: TestDatabase; simulators: Simulators },
    settings: Partial<VmStatusSettings>,
  ) {
    this.cluster = parts.cluster;
    this.client = parts.client;
    this.database = parts.database;
    this.simulators = parts.simulators;
    this.rows = new Rows(parts.database.database.pool);
    this.#settings = settings;
    const write = (text: string): void => {
      this.lines.push(JSON.parse(text) as Line);
      if (process.env['SSVIRT_TEST_LOG'] !== undefined) process.stderr.write(text);
    };
    this.#log = pino({ level: 'info', serializers: { err: errorFields } }, { write });
  }

  static async start({ start, parts, speed = 40, settings = {} }: SceneOptions): Promise<Scene> {
    const [cluster, database] = await Promise.all([start(), startTestDatabase()]);
    const source = fixedSource(cluster);
    const client = createClient({ cluster: 'scene', source, userAgent: 'scene' });
    const log = createLogger({ level: 'error', format: 'text' });
    const [simulators] = await Promise.all([
      startSimulators({
        source,
        name: 'scene',
        parts: parts ?? ['kubevirt', 'nodes', 'storage', 'cdi', 'templates'],
        dials: { speed, agentMs: 5000 },
        log,
      }),
      install(client, kubevirtConfigDefinition()),
      client.create(namespaces, { metadata: { name: KUBEVIRT_CONFIGS } }),
    ]);
    return new Scene({ cluster, client, database, simulators }, settings);
  }

  /** Starts a controller; it ends with the scene, or by its `stop`. Resolves when the cluster's row is synced. */
  async control(settings: Partial<VmStatusSettings> = {}): Promise<Running> {
    const log = this.#log;
    const { pool } = this.database.database;
    const metrics = createMetrics(new Registry());
    const local = connectCluster({
      name: 'local',
      component: 'ssvirt-vm-controller',
      source: fixedSource(this.cluster),
      log,
      metrics,
      reflector,
      flushMs: 2000,
    });
    const fleet = createFleet({
      local,
      namespace: KUBEVIRT_CONFIGS,
      component: 'ssvirt-vm-controller',
      userAgent: 'ssvirt-vm-controller',
      log,
      metrics,
      times,
      reflector,
    });
    const status = new VmStatusController({
      fleet,
      observations: createObservationStore(pool),
      leaders: createLeaderStore(pool),
      syncFailures: createSyncFailureStore(pool),
      changes: databaseRows({ database: this.database.database, log }),
      settings: { ...this.#settings, ...settings },
      name: 'ssvirt-vm-controller',
      holder: unique('scene'),
      registry: metrics.registry,
      log,
      clock: this.clock,
    });
    fleet.serve(status);
    const stopping = new AbortController();
    const { signal } = stopping;
    const work = [fleet.run({ signal }), status.watching.run({ signal }), status.writing.run({ signal })];
    const ended = Promise.all(work).catch((error: unknown) => log.error({ err: error }, 'the controller has failed'));
    const running: Running = {
      status,
      registry: metrics.registry,
      stop: async () => {
        this.#running.delete(running);
        stopping.abort();
        await ended;
        await local.close();
      },
    };
    this.#running.add(running);
    const isSynced = async (): Promise<boolean> => (await this.rows.cluster('local'))?.state === 'synced';
    await until('the cluster is synced', isSynced, { deadlineMs: 60_000 });
    return running;
  }

  /** A namespace with a VDC, and a vApp in it. */
  async place(prefix = 'vdc', more: { readonly vapp?: string } = {}): Promise<Place> {
    const { db } = this.database.database;
    const namespace = unique(prefix);
    await this.client.create(namespaces, { metadata: { name: namespace } });
    const organization = await makeOrganization(db);
    const vdc = await makeVdc(db, { organization_id: organization.id, cluster: 'local', namespace });
    const vapp = await makeVapp(db, { vdc_id: vdc.id, ...defined({ name: more.vapp }) });
    return { namespace, vdc, vapp };
  }

  async patchMachine(namespace: string, body: object, name = 'web'): Promise<void> {
    await this.client.patch(virtualMachines, { namespace, name }, { type: 'merge', body });
  }

  async untilGone(namespace: string, names: readonly string[]): Promise<void> {
    await until(`${names.join(', ')} are gone`, async () => {
      const { items } = await this.client.list(virtualMachines, { namespace });
      return !items.some(({ metadata }) => names.includes(metadata.name ?? ''));
    });
  }

  async stop(): Promise<void> {
    for (const running of this.#running) await running.stop();
    await this.simulators.stop({ leaveRegistered: true });
    await this.client.close();
    await Promise.all([this.cluster.stop(), this.database.stop()]);
  }
}
