/** A running `ssvirt vm-controller`: the database, the fleet, the election, and what follows the machines. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Address } from '../../config/address.ts';
import type { Config } from '../../config/keys.ts';
import type { ConnectedCluster } from '../../kube/connect-cluster.ts';
import { loadKubeconfig } from '../../kube/kubeconfig/load.ts';
import { createElector } from '../../kube/leader/elector.ts';
import type { ElectionTimings } from '../../kube/leader/timings.ts';
import { createManager, type Manager } from '../../kube/manager/manager.ts';
import { createMetrics, type Metrics } from '../../kube/metrics/metrics.ts';
import type { ReflectorOptions } from '../../kube/reflector/options.ts';
import { createFleet } from '../../fleet/create-fleet.ts';
import type { HealthTimes } from '../../fleet/health-times.ts';
import { contactOwnCluster, type OwnClusterChanged } from '../../fleet/own-cluster.ts';
import { usersOfCluster } from '../../db/cluster-users.ts';
import { openConnections, type Connections } from '../../db/connections.ts';
import { createLeaderStore } from '../../db/observations/leaders.ts';
import { createObservationStore } from '../../db/observations/store.ts';
import { createSyncFailureStore } from '../../db/observations/sync-failures.ts';
import { schemaRunnable } from './schema.ts';
import { databaseRows } from './database-rows.ts';
import { retentionRunnable } from './retention.ts';
import { VmStatus } from './vm-status.ts';

/** The Lease, and the name in `leaders`. */
const leaseName = 'ssvirt-vm-controller';
const component = 'ssvirt-vm-controller';

type VmControllerConfig = Pick<Config, 'controller' | 'database'>;

/** What is no setting: an installation is well with the usual times, and who tries outages has not as long. */
export interface ProcessTimes {
  readonly election?: Partial<ElectionTimings>;
  readonly health?: Partial<HealthTimes>;
  readonly reflector?: Partial<ReflectorOptions>;
}

export async function runVmController(
  config: VmControllerConfig,
  log: Logger,
  signal: AbortSignal,
  times: ProcessTimes = {},
): Promise<void> {
  const { controller } = config;
  const metrics = createMetrics(new Registry());
  if (!controller.enabled) return runDisabled(config, log, signal);
  // The connections of batches are set for them, which is good for nothing else; one more listens.
  const forBatches = Math.min(4, Math.ceil(config.database.maxConnections / 2));
  const others = Math.max(1, config.database.maxConnections - forBatches - 1);
  const database = openConnections({ ...config.database, applicationName: component, maxConnections: others });
  const batches = openConnections({
    ...config.database,
    applicationName: `${component}-batches`,
    maxConnections: forBatches,
  });
  try {
    const { path, context } = { path: controller.kubeconfig, context: controller.context };
    const source = await loadKubeconfig({
      ...(path === undefined ? {} : { path }),
      ...(context === undefined ? {} : { context }),
      log,
    });
    const swapped = new AbortController();
    const changed = (error: OwnClusterChanged): void => swapped.abort(error);
    const { reflector } = times;
    const local = await contactOwnCluster({ source, component, log, metrics, reflector, changed }, signal);
    if (local === undefined) return;
    try {
      const until = AbortSignal.any([signal, swapped.signal]);
      await runManager(config, { database, batches, local, log, metrics, times }, until);
      swapped.signal.throwIfAborted();
    } finally {
      await local.close();
    }
  } finally {
    await Promise.all([database.close(), batches.close()]);
  }
}

interface Surroundings {
  readonly database: Connections;
  readonly batches: Connections;
  readonly local: ConnectedCluster;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly times: ProcessTimes;
}

async function runManager(config: VmControllerConfig, surroundings: Surroundings, signal: AbortSignal): Promise<void> {
  const { controller } = config;
  const { database, batches, local, log, metrics, times } = surroundings;
  const holder = `${hostname()}_${randomUUID()}`;
  const elector = controller.enableLeaderElection
    ? createElector({
        client: local.bare,
        namespace: controller.namespace,
        name: leaseName,
        identity: holder,
        log,
        metrics,
        ...times.election,
      })
    : undefined;
  let leads = false;
  const fleet = createFleet({
    local,
    namespace: controller.kubevirtConfigsNamespace,
    component,
    userAgent: component,
    log,
    metrics,
    reports: () => leads,
    inUse: (name) => usersOfCluster(database.pool, name),
    ...(times.health === undefined ? {} : { times: times.health }),
    ...(times.reflector === undefined ? {} : { reflector: times.reflector }),
  });
  const status = new VmStatus({
    fleet,
    observations: createObservationStore(batches.pool),
    leaders: createLeaderStore(batches.pool),
    syncFailures: createSyncFailureStore(batches.pool),
    changes: databaseRows({ database, log }),
    settings: {
      baseDelayMs: controller.baseDelay,
      maxDelayMs: controller.maxDelay,
      maxRetries: controller.maxRetries,
      resyncMs: controller.resyncPeriod,
      windowMs: controller.batchWindow,
      staleAfterMs: controller.staleAfter,
      askConcurrency: controller.maxConcurrentReconciles,
    },
    name: leaseName,
    holder,
    registry: metrics.registry,
    log,
  });
  const manager = createManager({
    log,
    metrics,
    ...(elector === undefined ? {} : { elector }),
    health: listenAt(controller.healthAddr),
    metricsAt: {
      ...listenAt(controller.metricsAddr),
      ...(controller.openMetrics ? { open: true } : isLoopback(controller.metricsAddr) ? {} : { reviews: local.bare }),
    },
  });
  addChecks(manager, database);
  manager.add(schemaRunnable(database.pool, log));
  manager.add(fleet);
  manager.add(status.watching);
  manager.add(status.writing);
  manager.add(retentionRunnable(database.pool, config.database.retention, log));
  manager.add({
    name: 'fleet-reports',
    async run({ signal: until }) {
      leads = true;
      fleet.refresh();
      await new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
      leads = false;
    },
  });
  fleet.serve(status);
  await manager.run(signal);
}

function addChecks(manager: Manager, { pool }: Connections): void {
  manager.addReadyCheck('database', async () => {
    await pool.query('SELECT 1');
  });
}

/** Alive, and idle: a Deployment of it does not crash. */
async function runDisabled({ controller }: VmControllerConfig, log: Logger, signal: AbortSignal): Promise<void> {
  log.info('controller.enabled is false: nothing is watched and nothing is written');
  await createManager({ log, health: listenAt(controller.healthAddr) }).run(signal);
}

function listenAt({ host, port }: Address): { readonly host?: string; readonly port: number } {
  return { host: host === '' ? '0.0.0.0' : host, port };
}

function isLoopback({ host }: Address): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
