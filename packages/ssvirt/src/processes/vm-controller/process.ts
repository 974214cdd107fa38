/** The process `ssvirt vm-controller`: the database, the fleet, the election, and the parts that follow VMs. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import type { ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import { createElector } from '@ssvirt/kube/leader-election/elector';
import { createManager, type Manager } from '@ssvirt/kube/manager/manager';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import { createProcessMetrics } from '../../fleet/health/process-metrics.ts';
import { createReportedFleet } from '../../fleet/kubevirtconfig/reported-fleet.ts';
import {
  holderIdentity,
  listenAt,
  servingAt,
  withOwnCluster,
  type ProcessTimes,
} from '../../fleet/identity/with-own-cluster.ts';
import { usersOfCluster } from '../../db/clusters/cluster-users.ts';
import { vmControllerName } from '../../db/clusters/leader-health.ts';
import { showPools } from '../../db/connection/pool-metrics.ts';
import { openConnections, type Connections } from '../../db/connection/connections.ts';
import { createLeaderStore } from '../../db/observations/leaders.ts';
import { createObservationStore } from '../../db/observations/store.ts';
import { createSyncFailureStore } from '../../db/observations/sync-failures.ts';
import { schemaRunnable } from './migrate-schema.ts';
import { databaseRows } from '../../controllers/vm-status/watch/database-rows.ts';
import { retentionRunnable } from '../../controllers/vm-status/write/retention.ts';
import { VmStatusController } from '../../controllers/vm-status/vm-status.ts';

const component = 'ssvirt-vm-controller';

type VmControllerConfig = Pick<Config, 'controller' | 'database'>;

export async function runVmController(
  config: VmControllerConfig,
  log: Logger,
  signal: AbortSignal,
  times: ProcessTimes = {},
): Promise<void> {
  const { controller } = config;
  const metrics = createProcessMetrics();
  if (!controller.enabled) return runDisabled(config, log, signal);
  // The connections for batches have settings of their own and are used for nothing else. One more connection listens.
  const forBatches = Math.min(4, Math.ceil(config.database.maxConnections / 2));
  const others = Math.max(1, config.database.maxConnections - forBatches - 1);
  const database = openConnections({ ...config.database, applicationName: component, maxConnections: others });
  const batches = openConnections({
    ...config.database,
    applicationName: `${component}-batches`,
    maxConnections: forBatches,
  });
  showPools(metrics.registry, [database.pool, batches.pool]);
  try {
    const { kubeconfig, context } = controller;
    const { reflector } = times;
    await withOwnCluster(
      { kubeconfig, context, component, log, metrics, reflector, health: controller.healthAddr },
      signal,
      (local, until) => runManager(config, { database, batches, local, log, metrics, times }, until),
    );
  } finally {
    await Promise.all([database.close(), batches.close()]);
  }
}

interface ControllerContext {
  readonly database: Connections;
  readonly batches: Connections;
  readonly local: ConnectedCluster;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly times: ProcessTimes;
}

async function runManager(config: VmControllerConfig, context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { controller } = config;
  const { database, batches, local, log, metrics, times } = context;
  const holder = holderIdentity();
  const elector = controller.enableLeaderElection
    ? createElector({
        client: local.bare,
        namespace: controller.namespace,
        name: vmControllerName,
        identity: holder,
        log,
        metrics,
        ...times.election,
      })
    : undefined;
  const { fleet, reporter } = createReportedFleet({
    local,
    namespace: controller.kubevirtConfigsNamespace,
    component,
    log,
    metrics,
    times,
    inUse: (name) => usersOfCluster(database.pool, name),
  });
  const status = new VmStatusController({
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
      heartbeatMs: controller.heartbeatInterval,
      askConcurrency: controller.maxConcurrentReconciles,
    },
    name: vmControllerName,
    holder,
    registry: metrics.registry,
    log,
  });
  const manager = createManager({
    log,
    metrics,
    ...defined({ elector }),
    ...(await servingAt(controller, local.bare)),
  });
  addChecks(manager, database);
  manager.add(schemaRunnable(database, log));
  manager.add(fleet);
  manager.add(status.watching);
  manager.add(status.writing);
  manager.add(retentionRunnable(database.pool, config.database.retention, log));
  manager.add(reporter);
  fleet.serve(status);
  await manager.run(signal);
}

function addChecks(manager: Manager, { pool }: Connections): void {
  manager.addReadyCheck('database', async () => {
    await pool.query('SELECT 1');
  });
}

/** Alive and idle, so that a Deployment does not restart it. */
async function runDisabled({ controller }: VmControllerConfig, log: Logger, signal: AbortSignal): Promise<void> {
  log.info('idle, controller.enabled is false');
  await createManager({ log, health: listenAt(controller.healthAddr) }).run(signal);
}
