/** Every resource of the API; one folder each. */
import type { ApiContext } from './deps.ts';
import type { ApiApp } from './http/app-types.ts';
import { auditRoutes } from './audit/routes.ts';
import { catalogItemRoutes } from './catalog-items/routes.ts';
import { catalogRoutes } from './catalogs/routes.ts';
import { clusterRoutes } from './clusters/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { instanceTypeRoutes } from './instance-types/routes.ts';
import { instantiationRoutes } from './instantiation/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { syncFailureRoutes } from './sync-failures/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';
import { vappRoutes } from './vapps/routes.ts';
import { vdcRoutes } from './vdcs/routes.ts';
import { versionRoutes } from './versions/routes.ts';
import { vmRoutes } from './vms/routes.ts';

const resources = [
  auditRoutes,
  catalogItemRoutes,
  catalogRoutes,
  clusterRoutes,
  consoleRoutes,
  eventRoutes,
  healthRoutes,
  instanceTypeRoutes,
  instantiationRoutes,
  orderRoutes,
  organizationRoutes,
  roleRoutes,
  sessionRoutes,
  syncFailureRoutes,
  taskRoutes,
  tokenRoutes,
  userRoutes,
  vappRoutes,
  vdcRoutes,
  versionRoutes,
  vmRoutes,
];

export function addResources(app: ApiApp, context: ApiContext): void {
  for (const add of resources) add(app, context);
}
