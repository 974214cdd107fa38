import { defined } from '@ssvirt/base/values/defined';
import { Type, type Static } from 'typebox';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, PageOf, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { catalogBody } from './render.ts';
import { CatalogBody, CatalogChange, NewCatalog } from './schemas.ts';
import * as service from './service.ts';

const path = '/cloudapi/1.0.0/catalogs';
const tags = ['catalogs'];
const params = Type.Object({ catalogId: UrnSchema('catalog', 'The catalog') });

export function catalogRoutes(app: ApiApp, context: ApiContext): void {
  addReads(app, context);
  addWrites(app, context);
}

function addReads(app: ApiApp, { database: { db }, catalogSource }: ApiContext): void {
  app.get(
    path,
    {
      config: operation('catalogs.list'),
      schema: {
        operationId: 'listCatalogs',
        tags,
        summary: 'List the catalogs of your organization and the published catalogs of others',
        querystring: ListQuery,
        response: { 200: PageOf(CatalogBody) },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const page = await service.catalogsPage(db, callerOf(request), asked);
      return sendPage({ request, reply, model: 'Catalogs' }, asked, page, (row) => catalogBody(row, catalogSource));
    },
  );

  app.get(
    `${path}/:catalogId`,
    {
      config: operation('catalogs.get'),
      schema: { operationId: 'getCatalog', tags, summary: 'Get a catalog', params, response: { 200: CatalogBody } },
    },
    async (request) => {
      const id = idOf('catalog', request.params.catalogId, 'catalogId');
      return catalogBody(await service.catalog(db, callerOf(request), id), catalogSource);
    },
  );
}

function addWrites(app: ApiApp, { database: { db }, catalogSource }: ApiContext): void {
  app.post(
    path,
    {
      config: operation('catalogs.create'),
      schema: {
        operationId: 'createCatalog',
        tags,
        summary: 'Create a catalog',
        body: NewCatalog,
        response: { 201: CatalogBody },
      },
    },
    async (request, reply) => {
      const { orgId, ...fields } = request.body;
      const organization = orgId === undefined ? undefined : idOf('org', orgId, 'orgId');
      const asked = { ...rowOf(fields), name: fields.name };
      const made = await service.addCatalog(db, callerOf(request), organization, asked);
      void reply.status(201).header('location', `${path}/${urnOf('catalog', made.id)}`);
      return catalogBody(made, catalogSource);
    },
  );

  app.put(
    `${path}/:catalogId`,
    {
      config: operation('catalogs.update'),
      schema: {
        operationId: 'updateCatalog',
        tags,
        summary: 'Change a catalog',
        params,
        body: CatalogChange,
        response: { 200: CatalogBody },
      },
    },
    async (request) => {
      const id = idOf('catalog', request.params.catalogId, 'catalogId');
      return catalogBody(await service.changeCatalog(db, callerOf(request), id, rowOf(request.body)), catalogSource);
    },
  );

  app.delete(
    `${path}/:catalogId`,
    {
      config: operation('catalogs.delete'),
      schema: {
        operationId: 'deleteCatalog',
        tags,
        summary: 'Delete a catalog that has no items of its own',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const id = idOf('catalog', request.params.catalogId, 'catalogId');
      await service.removeCatalog(db, callerOf(request), id);
      return reply.status(204).send(null);
    },
  );
}

function rowOf({
  name,
  description,
  isPublished,
  includesTemplates,
}: Static<typeof CatalogChange>): service.CatalogFields {
  return {
    ...defined({ name, description, published: isPublished, includes_templates: includesTemplates }),
  };
}
