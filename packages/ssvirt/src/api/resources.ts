/** Every resource of the API; one folder each. */
import type { ApiContext } from './deps.ts';
import type { ApiApp } from './http/app-types.ts';
import { auditRoutes } from './audit/routes.ts';
import { catalogItemRoutes } from './catalogs/items/routes.ts';
import { catalogRoutes } from './catalogs/catalogs/routes.ts';
import { clusterRoutes } from './clusters/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { explanationRoutes } from './vms/explanation/routes.ts';
import { healthRoutes } from './http/health/routes.ts';
import { instanceTypeRoutes } from './catalogs/instance-types/routes.ts';
import { instantiationRoutes } from './vapps/instantiation/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { organizationRoutes } from './tenants/organizations/routes.ts';
import { roleRoutes } from './tenants/roles/routes.ts';
import { sessionRoutes } from './auth/sessions/routes.ts';
import { summaryRoutes } from './vms/summary-routes.ts';
import { supervisorRoutes } from './supervisor/routes.ts';
import { syncFailureRoutes } from './clusters/sync-failures/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { tokenRoutes } from './auth/tokens/routes.ts';
import { userRoutes } from './tenants/users/routes.ts';
import { vappRoutes } from './vapps/routes.ts';
import { vdcRoutes } from './vdcs/routes.ts';
import { versionRoutes } from './http/versions/routes.ts';
import { vmRoutes } from './vms/routes.ts';

const resources = [
  auditRoutes,
  catalogItemRoutes,
  catalogRoutes,
  clusterRoutes,
  consoleRoutes,
  eventRoutes,
  explanationRoutes,
  healthRoutes,
  instanceTypeRoutes,
  instantiationRoutes,
  orderRoutes,
  organizationRoutes,
  roleRoutes,
  sessionRoutes,
  summaryRoutes,
  supervisorRoutes,
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
