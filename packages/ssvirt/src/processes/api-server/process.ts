/**
 * A running `ssvirt api-server`: the database, the own cluster and the fleet, the controllers that apply rows to
 * clusters, and the API. It serves from the start: while the database is unavailable it answers so, and while a cluster
 * is unavailable it records requests for it.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { apiLimits, buildApp } from '../../api/app.ts';
import type { ApiSettings } from '../../api/settings.ts';
import { ensureFirstAdministrator } from '../../api/tenants/bootstrap/first-administrator.ts';
import type { Config } from '@ssvirt/base/config/keys';
import { createCatalogWatch, type CatalogWatch } from '../../controllers/catalog/catalog-watch.ts';
import type { TenancySettings } from '../../controllers/tenancy/engine/settings.ts';
import { createTenancy } from '../../controllers/tenancy/engine/tenancy.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import { showPools } from '../../db/connection/pool-metrics.ts';
import { createFleet } from '../../fleet/create-fleet.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { HealthTimes } from '../../fleet/health/health-times.ts';
import { connectOwnCluster, type OwnClusterChanged } from '../../fleet/identity/own-cluster.ts';
import type { ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import { loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import { createManager } from '@ssvirt/kube/manager/manager';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import { createProcessMetrics } from '../../fleet/health/process-metrics.ts';
import type { ConnectionLimits } from '@ssvirt/base/net/connection-limits';
import type { ReflectorOptions } from '@ssvirt/kube/reflector/options';
import { aborted } from '@ssvirt/base/async/aborted';
import { metricsAt } from '../../fleet/identity/with-own-cluster.ts';
import { FleetDirectory, type DirectoryTimes } from '../cluster-directory.ts';
import { imageFilter, importNetworks } from '../image-filter.ts';
import { readPair, type Pair } from './certificate-files.ts';
import { fleetConsoles } from './consoles.ts';
import { housekeeping } from './housekeeping.ts';
import { staleNotices } from './stale-notices.ts';
import { httpServer } from './http-server.ts';
import { Schema } from './schema.ts';
import { apiSettings } from './settings.ts';
import { SupervisorObjects } from './supervisor-objects.ts';

const component = 'ssvirt-api-server';

type ApiServerConfig = Pick<Config, 'api' | 'database' | 'images'>;

/** Intervals that are not settings: an installation needs only the defaults, but tests of outages need shorter ones. */
export interface ApiServerTimes {
  readonly health?: Partial<HealthTimes>;
  readonly reflector?: Partial<ReflectorOptions>;
  readonly directory?: Partial<DirectoryTimes>;
  readonly tenancy?: Partial<TenancySettings>;
  readonly idleInTransactionMs?: number;
  readonly certificateEveryMs?: number;
  readonly drainMs?: number;
  readonly connections?: Partial<ConnectionLimits>;
}

export async function runApiServer(
  config: ApiServerConfig,
  log: Logger,
  signal: AbortSignal,
  times: ApiServerTimes = {},
): Promise<void> {
  const { kubeconfig: path, context, tls } = config.api;
  const settings = apiSettings(config.api);
  const pair = await readPair(tls);
  const metrics = createProcessMetrics();
  const source = await loadKubeconfig({
    ...defined({ path, context }),
    log,
  });
  const swapped = new AbortController();
  const local = connectOwnCluster({
    source,
    component,
    log,
    metrics,
    reflector: times.reflector,
    changed: (error: OwnClusterChanged) => swapped.abort(error),
  });
  const { idleInTransactionMs } = times;
  const database = openDatabase({
    ...config.database,
    applicationName: component,
    ...defined({ idleInTransactionMs }),
  });
  showPools(metrics.registry, [database.pool]);
  try {
    const until = AbortSignal.any([signal, swapped.signal]);
    await runManager(config, { settings, database, local, log, metrics, pair, times }, until);
    swapped.signal.throwIfAborted();
  } finally {
    await Promise.all([local.close(), database.close()]);
  }
}

interface ApiServerContext {
  readonly settings: ApiSettings;
  readonly database: Database;
  readonly local: ConnectedCluster;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly pair: Pair;
  readonly times: ApiServerTimes;
}

async function runManager(config: ApiServerConfig, context: ApiServerContext, signal: AbortSignal): Promise<void> {
  const { api } = config;
  const { settings, database, local, log, metrics, pair, times } = context;
  const fleet = createFleet({
    local,
    namespace: api.kubevirtConfigsNamespace,
    component,
    userAgent: component,
    log,
    metrics,
    // The leading vm-controller reports.
    reports: () => false,
    ...defined({ times: times.health, reflector: times.reflector }),
  });
  const clusters = new FleetDirectory(fleet, log, times.directory);
  const catalog = createCatalogWatch({
    fleet,
    silent: () => clusters.silent(),
    templateNamespaces: api.templateNamespaces,
    imageNamespaces: api.imageNamespaces,
    defaultCluster: api.defaultCluster,
    log,
    registry: metrics.registry,
  });
  const supervisor = new SupervisorObjects(local);
  const holder = `${hostname()}_${randomUUID()}`;
  const tenancy = createTenancy({
    database,
    fleet,
    holder,
    log,
    registry: metrics.registry,
    settings: {
      clusterNamespaces: {
        importNamespaces: api.importNamespaces,
        imageNamespaces: api.imageNamespaces,
        podSecurity: api.vdcPodSecurity,
        ...defined({ importNetworks: importNetworks(config.images) }),
      },
      ...times.tenancy,
    },
  });
  const schema = new Schema(database, log, () => makeFirstAdministrator(api, database, log));
  const limits = { ...apiLimits, maxConnections: api.maxConnections, ...times.connections };
  const app = await buildApp(
    {
      database,
      settings,
      catalogSource: catalog,
      clusters,
      consoles: fleetConsoles(fleet),
      images: imageFilter(config.images),
      supervisor,
      log,
      registry: metrics.registry,
      waitsFor: () => schema.waitsFor(),
    },
    { tls: pair, limits },
  );
  const manager = createManager({
    log,
    metrics,
    metricsAt: await metricsAt(api, local.bare),
  });
  const { certificateEveryMs, drainMs } = times;
  manager.add(
    httpServer({
      app,
      listen: api.listen,
      files: api.tls,
      pair,
      log,
      limits,
      ...defined({ certificateEveryMs, drainMs }),
    }),
  );
  manager.add(schema);
  manager.add(fleet);
  manager.add(clusters);
  manager.add(supervisor);
  manager.add(engaged('catalog', catalog, fleet));
  for (const runnable of tenancy.runnables) manager.add(schema.before(runnable));
  fleet.serve(tenancy.engageable);
  manager.add(schema.before(housekeeping(database.db, log)));
  manager.add(schema.before(staleNotices(database.db, log)));
  await manager.run(signal);
}

/** Connects a target to every cluster of the fleet, from now until the process ends. */
function engaged(name: string, target: CatalogWatch, fleet: Fleet): Runnable {
  return {
    name,
    needsLeadership: false,
    async run({ signal }) {
      const release = fleet.serve(target);
      await aborted(signal);
      release();
      await target.stop();
    },
  };
}

async function makeFirstAdministrator({ initialAdmin }: Config['api'], { db }: Database, log: Logger): Promise<void> {
  const { username, passwordFile: password } = initialAdmin;
  await ensureFirstAdministrator(db, { username, password, generate: false, log });
}
