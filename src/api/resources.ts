/** Every resource of the API; one folder each. */
import type { ApiContext } from './deps.ts';
import type { ApiApp } from './http/app-types.ts';
import { roleRoutes } from './roles/routes.ts';
import { versionRoutes } from './versions/routes.ts';
import { vdcRoutes } from './vdcs/routes.ts';

export function addResources(app: ApiApp, context: ApiContext): void {
  for (const add of [versionRoutes, roleRoutes, vdcRoutes]) add(app, context);
}
