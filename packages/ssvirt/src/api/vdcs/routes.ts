/** Tenants read their virtual data centers; the provider's routes also show cluster and namespace, and change them. */
import { Type } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { listRequest, sendPage } from '../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../http/schemas.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { idOf } from '../urn.ts';
import { answerCreated, answerDeleted, answerUpdated } from './answer.ts';
import { adminVdcBody, vdcBody, vdcUsageBody } from './render.ts';
import { AdminVdcBody, ChangedVdc, NewVdc, VdcBody, VdcChange, VdcUsageBody } from './schemas.ts';
import * as service from './service.ts';

const vdcParam = { vdcId: UrnSchema('vdc', 'The virtual data center') };
const orgParam = { orgId: UrnSchema('org', 'The organization') };

export function vdcRoutes(app: ApiApp, context: ApiContext): void {
  addTenantRoutes(app, context);
  addAdminReads(app, context);
  addAdminWrites(app, context);
}

function addTenantRoutes(app: ApiApp, { database: { db } }: ApiContext): void {
  const tags = ['virtual data centers'];

  app.get(
    '/cloudapi/1.0.0/vdcs',
    {
      config: operation('vdcs.list'),
      schema: {
        operationId: 'listVdcs',
        tags,
        summary: 'List the virtual data centers of your organization',
        querystring: ListQuery,
        response: { 200: PageOf(VdcBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await service.vdcsPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Vdcs' }, asked, page, (vdc) => vdcBody(vdc, callerOf(request)));
    },
  );

  app.get(
    '/cloudapi/1.0.0/vdcs/:vdcId',
    {
      config: operation('vdcs.get'),
      schema: {
        operationId: 'getVdc',
        tags,
        summary: 'Get a virtual data center',
        params: Type.Object(vdcParam),
        response: { 200: VdcBody },
      },
    },
    async (request) => {
      const id = idOf('vdc', request.params.vdcId, 'vdcId');
      const caller = callerOf(request);
      return vdcBody(await service.vdc(db, caller, id), caller);
    },
  );

  app.get(
    '/cloudapi/1.0.0/vdcs/:vdcId/usage',
    {
      config: operation('vdcs.usage'),
      schema: {
        operationId: 'getVdcUsage',
        tags,
        summary: 'Get the usage of a virtual data center and its remaining capacity',
        description:
          'Virtual machines count until they are deleted, whether or not they run: with the requested size or, if none was requested, with the size in the cluster.',
        params: Type.Object(vdcParam),
        response: { 200: VdcUsageBody },
      },
    },
    async (request) => {
      const id = idOf('vdc', request.params.vdcId, 'vdcId');
      const { vdc, used } = await service.usage(db, callerOf(request), id);
      return vdcUsageBody(vdc, used);
    },
  );
}

const adminTags = ['virtual data centers of the provider'];
const adminPath = '/api/admin/org/:orgId/vdcs';

function addAdminReads(app: ApiApp, { database: { db } }: ApiContext): void {
  app.get(
    adminPath,
    {
      config: operation('vdcs.adminList'),
      schema: {
        operationId: 'listVdcsOfOrganization',
        tags: adminTags,
        summary: 'List the virtual data centers of an organization',
        params: Type.Object(orgParam),
        querystring: ListQuery,
        response: { 200: PageOf(AdminVdcBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const organization = idOf('org', request.params.orgId, 'orgId');
      const page = await service.vdcsOfOrganization(db, callerOf(request), organization, asked);
      return sendPage({ request, reply, model: 'Vdcs' }, asked, page, (vdc) => adminVdcBody(vdc, callerOf(request)));
    },
  );

  app.get(
    `${adminPath}/:vdcId`,
    {
      config: operation('vdcs.adminGet'),
      schema: {
        operationId: 'getVdcOfOrganization',
        tags: adminTags,
        summary: 'Get a virtual data center of an organization, with its cluster and namespace',
        params: Type.Object({ ...orgParam, ...vdcParam }),
        response: { 200: AdminVdcBody },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      return adminVdcBody(await service.vdcOfOrganization(db, caller, pathOf(request.params)), caller);
    },
  );
}

function addAdminWrites(app: ApiApp, context: ApiContext): void {
  const { clusters, settings } = context;
  const { db } = context.database;
  const places: service.SelectableClusters = { clusters, defaultCluster: settings.defaultCluster };

  app.post(
    adminPath,
    {
      config: operation('vdcs.create'),
      schema: {
        operationId: 'createVdc',
        tags: adminTags,
        summary: 'Create a virtual data center',
        description:
          'The virtual data center is recorded at once. The task in the response and in Location creates it in its cluster (a namespace with quota, limits and isolation); while the cluster is unavailable, the task says what it waits for. With Prefer: wait=N the response is 201 if that is done within N seconds.',
        params: Type.Object(orgParam),
        headers: preferHeaders,
        body: NewVdc,
        response: { 201: ChangedVdc, 202: ChangedVdc },
      },
    },
    async (request, reply) => {
      const organization = idOf('org', request.params.orgId, 'orgId');
      const { body: asked } = request;
      const started = await service.createVdc(db, callerOf(request), organization, { asked, places });
      return answerCreated({ request, reply, context }, started);
    },
  );

  app.put(
    `${adminPath}/:vdcId`,
    {
      config: operation('vdcs.update'),
      schema: {
        operationId: 'updateVdc',
        tags: adminTags,
        summary: 'Change a virtual data center',
        description:
          'Absent fields stay; 0, false and "" are values. A limit below current usage is rejected. If nothing differs, the response is 200 without a task.',
        params: Type.Object({ ...orgParam, ...vdcParam }),
        headers: preferHeaders,
        body: VdcChange,
        response: { 200: ChangedVdc, 202: ChangedVdc },
      },
    },
    async (request, reply) => {
      const changed = await service.updateVdc(db, callerOf(request), pathOf(request.params), request.body);
      return answerUpdated({ request, reply, context }, changed);
    },
  );

  app.delete(
    `${adminPath}/:vdcId`,
    {
      config: operation('vdcs.delete'),
      schema: {
        operationId: 'deleteVdc',
        tags: adminTags,
        summary: 'Delete a virtual data center',
        description:
          'Deletes its namespace with everything in it. Rejected while it contains virtual machines, unless forced. A repeated request during the deletion returns the same task. With Prefer: wait=N the response is 204 if it is gone within N seconds.',
        params: Type.Object({ ...orgParam, ...vdcParam }),
        headers: preferHeaders,
        querystring: Type.Object({
          force: Type.Optional(
            Type.Boolean({ description: 'Even with virtual machines in it: they are destroyed with their disks' }),
          ),
        }),
        response: { 202: ChangedVdc, 204: Type.Null({ description: 'The virtual data center is deleted' }) },
      },
    },
    async (request, reply) => {
      const path = pathOf(request.params);
      const started = await service.deleteVdc(db, callerOf(request), path, request.query.force ?? false);
      return answerDeleted({ request, reply, context }, started);
    },
  );
}

function pathOf({ orgId, vdcId }: { readonly orgId: string; readonly vdcId: string }): service.VdcPath {
  return { organization: idOf('org', orgId, 'orgId'), vdc: idOf('vdc', vdcId, 'vdcId') };
}
