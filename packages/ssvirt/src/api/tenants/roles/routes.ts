import { Type, type Static } from 'typebox';
import type { Role } from '../../../db/tenants/roles.ts';
import type { ApiDeps } from '../../deps.ts';
import { operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { named, ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { role, rolesPage } from './service.ts';

const RoleBody = named(
  'Role',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    bundleKey: Type.String(),
    readOnly: Type.Boolean(),
  }),
);

export function roleRoutes(app: ApiApp, { database: { db } }: ApiDeps): void {
  const tags = ['roles'];

  app.get(
    '/cloudapi/1.0.0/roles',
    {
      config: operation('roles.list'),
      schema: {
        operationId: 'listRoles',
        tags,
        summary: 'List the roles',
        querystring: ListQuery,
        response: { 200: PageOf(RoleBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      return sendPage({ request, reply, model: 'Roles' }, asked, await rolesPage(db, asked), render);
    },
  );

  app.get(
    '/cloudapi/1.0.0/roles/:roleId',
    {
      config: operation('roles.get'),
      schema: {
        operationId: 'getRole',
        tags,
        summary: 'Get a role',
        params: Type.Object({ roleId: UrnSchema('role', 'The role') }),
        response: { 200: RoleBody },
      },
    },
    async (request) => render(await role(db, idOf('role', request.params.roleId, 'roleId'))),
  );
}

function render({ id, name, description, read_only }: Role): Static<typeof RoleBody> {
  return { id: urnOf('role', id), name, description, bundleKey: '', readOnly: read_only };
}
