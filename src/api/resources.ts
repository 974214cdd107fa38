/** Every resource of the API; one folder each. */
import type { ApiContext } from './deps.ts';
import type { ApiApp } from './http/app-types.ts';
import { auditRoutes } from './audit/routes.ts';
import { clusterRoutes } from './clusters/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { syncFailureRoutes } from './sync-failures/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { vdcRoutes } from './vdcs/routes.ts';
import { versionRoutes } from './versions/routes.ts';

const resources = [
  auditRoutes,
  clusterRoutes,
  healthRoutes,
  organizationRoutes,
  roleRoutes,
  sessionRoutes,
  syncFailureRoutes,
  taskRoutes,
  vdcRoutes,
  versionRoutes,
];

export function addResources(app: ApiApp, context: ApiContext): void {
  for (const add of resources) add(app, context);
}
