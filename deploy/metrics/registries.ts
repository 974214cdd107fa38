/** The registry of each process, filled by the same code as in the process, without a cluster or a database. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../../packages/ssvirt/src/api/app.ts';
import { nothingOffered } from '../../packages/ssvirt/src/api/catalogs/catalogs/source.ts';
import { noConsoles } from '../../packages/ssvirt/src/api/console/source.ts';
import { noSupervisor } from '../../packages/ssvirt/src/api/supervisor/source.ts';
import { createCatalogWatch } from '../../packages/ssvirt/src/controllers/catalog/catalog-watch.ts';
import { OrderMetrics } from '../../packages/ssvirt/src/controllers/cloudkit/operator/metrics.ts';
import { MachineMetrics } from '../../packages/ssvirt/src/controllers/machine/status/metrics.ts';
import { imageFilter } from '../../packages/ssvirt/src/processes/image-filter.ts';
import { TenancyMetrics } from '../../packages/ssvirt/src/controllers/tenancy/engine/metrics.ts';
import { VmStatusMetrics } from '../../packages/ssvirt/src/controllers/vm-status/metrics.ts';
import { openDatabase } from '../../packages/ssvirt/src/db/connection/database.ts';
import { showPhases } from '../../packages/ssvirt/src/fleet/health/fleet-metrics.ts';
import { createProcessMetrics } from '../../packages/ssvirt/src/fleet/health/process-metrics.ts';
import { showPools } from '../../packages/ssvirt/src/db/connection/pool-metrics.ts';

const log = pino({ level: 'silent' });

/** All other registries contain the runtime metrics, too. */
export const parts = [
  'runtime',
  'fleet',
  'database',
  'api-server',
  'vm-controller',
  'machine-operator',
  'cloudkit-operator',
] as const;
export type Part = (typeof parts)[number];

const fillers: Readonly<Record<Part, (registry: Registry) => unknown>> = {
  runtime: createProcessMetrics,
  fleet: (registry) => showPhases(registry, () => new Map()),
  'api-server': fillApi,
  database: (registry) => showPools(registry, []),
  'vm-controller': (registry) => new VmStatusMetrics(registry, { pending: () => 0, failing: () => 0 }),
  'machine-operator': (registry) => new MachineMetrics(registry, { machines: () => [], virtualMachines: () => [] }),
  'cloudkit-operator': (registry) => new OrderMetrics(registry, { orders: () => [] }),
};

export async function registryOf(part: Part): Promise<Registry> {
  const registry = new Registry();
  await fillers[part](registry);
  return registry;
}

async function fillApi(registry: Registry): Promise<void> {
  // The pool connects lazily, and this code never runs a query.
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const app = await buildApp({
    database,
    settings: {
      siteName: 'ssvirt',
      sessionIdleMs: 0,
      sessionMaxMs: 0,
      accessTokenMs: 0,
      loginFailures: 1,
      defaultCluster: 'local',
      version: '0',
    },
    catalogSource: nothingOffered,
    clusters: { list: () => [], get: () => undefined },
    consoles: noConsoles,
    images: imageFilter({ allowedHosts: [], allowedCidrs: [] }),
    supervisor: noSupervisor,
    log,
    registry,
  });
  await app.close();
  await database.close();
  const fleet = { stateOf: () => undefined, listConfigs: () => [] };
  await createCatalogWatch({ fleet, defaultCluster: 'local', log, registry }).stop();
  void new TenancyMetrics(registry);
}
