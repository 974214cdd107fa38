/** Every resource of the API; one folder each. */
import type { ApiDeps } from './deps.ts';
import type { ApiApp } from './http/app-types.ts';
import { roleRoutes } from './roles/routes.ts';

export function addResources(app: ApiApp, deps: ApiDeps): void {
  for (const add of [roleRoutes]) add(app, deps);
}
