import { defined } from '@ssvirt/base/values/defined';
import { Type, type Static } from 'typebox';
import { systemOrganization } from '../../caller.ts';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { NewOrganization, OrganizationBody, OrganizationChange } from './schemas.ts';
import {
  addOrganization,
  changeOrganization,
  organization,
  organizationsPage,
  removeOrganization,
  type OrganizationFields,
  type ShownOrganization,
} from './service.ts';

export function organizationRoutes(app: ApiApp, { database: { db } }: ApiContext): void {
  const tags = ['organizations'];
  const params = Type.Object({ orgId: UrnSchema('org', 'The organization') });

  app.get(
    '/cloudapi/1.0.0/orgs',
    {
      config: operation('organizations.list'),
      schema: {
        operationId: 'listOrganizations',
        tags,
        summary: 'List the organizations; tenants see only their own',
        querystring: ListQuery,
        response: { 200: PageOf(OrganizationBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await organizationsPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Orgs' }, asked, page, render);
    },
  );

  app.post(
    '/cloudapi/1.0.0/orgs',
    {
      config: operation('organizations.create'),
      schema: {
        operationId: 'createOrganization',
        tags,
        summary: 'Create an organization',
        body: NewOrganization,
        response: { 201: OrganizationBody },
      },
    },
    async (request, reply) => {
      const { name } = request.body;
      const made = await addOrganization(db, callerOf(request), { ...fieldsOf(request.body), name });
      return reply.status(201).send(render(made));
    },
  );

  app.get(
    '/cloudapi/1.0.0/orgs/:orgId',
    {
      config: operation('organizations.get'),
      schema: {
        operationId: 'getOrganization',
        tags,
        summary: 'Get an organization',
        params,
        response: { 200: OrganizationBody },
      },
    },
    async (request) => render(await organization(db, callerOf(request), idOf('org', request.params.orgId, 'orgId'))),
  );

  app.put(
    '/cloudapi/1.0.0/orgs/:orgId',
    {
      config: operation('organizations.update'),
      schema: {
        operationId: 'updateOrganization',
        tags,
        summary: 'Change an organization; absent fields stay',
        params,
        body: OrganizationChange,
        response: { 200: OrganizationBody },
      },
    },
    async (request) => {
      const id = idOf('org', request.params.orgId, 'orgId');
      return render(await changeOrganization(db, callerOf(request), id, fieldsOf(request.body)));
    },
  );

  app.delete(
    '/cloudapi/1.0.0/orgs/:orgId',
    {
      config: operation('organizations.delete'),
      schema: {
        operationId: 'deleteOrganization',
        tags,
        summary: 'Delete an organization that has no virtual data centers, users or catalogs',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeOrganization(db, callerOf(request), idOf('org', request.params.orgId, 'orgId'));
      return reply.status(204).send(null);
    },
  );
}

function fieldsOf(body: Static<typeof OrganizationChange>): OrganizationFields {
  const { name, displayName, description, isEnabled, canManageOrgs, canPublish } = body;
  return {
    ...defined({
      name,
      display_name: displayName,
      description,
      enabled: isEnabled,
      can_manage_orgs: canManageOrgs,
      can_publish: canPublish,
    }),
  };
}

function render({ row, counts }: ShownOrganization): Static<typeof OrganizationBody> {
  return {
    id: urnOf('org', row.id),
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    isEnabled: row.enabled,
    canManageOrgs: row.can_manage_orgs,
    canPublish: row.can_publish,
    managedBy: { name: 'System', id: urnOf('org', systemOrganization) },
    orgVdcCount: counts.vdcs,
    catalogCount: counts.catalogs,
    vappCount: counts.vapps,
    runningVMCount: counts.runningVms,
    userCount: counts.users,
    diskCount: counts.disks,
    directlyManagedOrgCount: counts.managed,
    maskedEventTaskUsername: '',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
