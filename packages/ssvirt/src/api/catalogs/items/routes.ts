import { Type, type Static } from 'typebox';
import type { CatalogHead } from '../../../db/catalogs/catalogs.ts';
import type { CatalogId, CatalogItemId } from '../../../db/schema/schema.ts';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { listRequest, sendPage } from '../../http/pages.ts';
import { ListQuery, UrnSchema } from '../../http/schemas.ts';
import { idOf, urnOf } from '../../urn.ts';
import { offeredBody, storedBody } from './render.ts';
import { ItemBody, ItemChange, ItemPage, NewItem } from './schemas.ts';
import { CatalogItems, type Item } from './service.ts';
import { redactedFor, type RedactedAvailability } from './redaction.ts';

const path = '/cloudapi/1.0.0/catalogs/:catalogId/catalogItems';
const tags = ['catalog items'];
const inCatalog = { catalogId: UrnSchema('catalog', 'The catalog') };
const params = Type.Object({ ...inCatalog, itemId: UrnSchema('catalogitem', 'The item') });

export function catalogItemRoutes(app: ApiApp, context: ApiContext): void {
  const items = new CatalogItems(context.database.db, context.catalogSource, context.images);
  addReads(app, context, items);
  addWrites(app, items);
}

function addReads(app: ApiApp, { catalogSource }: ApiContext, items: CatalogItems): void {
  app.get(
    path,
    {
      config: operation('catalogItems.list'),
      schema: {
        operationId: 'listCatalogItems',
        tags,
        summary: 'List the items of a catalog',
        description:
          'The items of the catalog itself and, if it includes them, the templates and boot images of the clusters, in one order. unavailable names what cannot be read at the moment.',
        params: Type.Object(inCatalog),
        querystring: ListQuery,
        response: { 200: ItemPage },
      },
    },
    async (request, reply) => {
      const asked = listRequest(request);
      const caller = callerOf(request);
      const usable = await items.usable(caller);
      const { catalog, value } = await items.page(caller, catalogIdOf(request.params), asked, usable);
      const redacted = redactedFor(caller, catalogSource, usable);
      const show = (item: Item): Static<typeof ItemBody> => render(catalog, item, redacted);
      const page = sendPage({ request, reply, model: 'CatalogItems' }, asked, value, show);
      return { ...page, unavailable: catalog.includes_templates ? redacted.unavailable : [] };
    },
  );

  app.get(
    `${path}/:itemId`,
    {
      config: operation('catalogItems.get'),
      schema: {
        operationId: 'getCatalogItem',
        tags,
        summary: 'Get a catalog item',
        params,
        response: { 200: ItemBody },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { catalog, value } = await items.get(caller, ...idsOf(request.params));
      return render(catalog, value, redactedFor(caller, catalogSource, await items.usable(caller)));
    },
  );
}

function addWrites(app: ApiApp, items: CatalogItems): void {
  app.post(
    path,
    {
      config: operation('catalogItems.create'),
      schema: {
        operationId: 'createCatalogItem',
        tags,
        summary: 'Create an item in a catalog',
        params: Type.Object(inCatalog),
        body: NewItem,
        response: { 201: ItemBody },
      },
    },
    async (request, reply) => {
      const made = await items.add(callerOf(request), catalogIdOf(request.params), request.body);
      const body = render(made.catalog, made.value);
      const home = `/cloudapi/1.0.0/catalogs/${urnOf('catalog', made.catalog.id)}`;
      void reply.status(201).header('location', `${home}/catalogItems/${body.id}`);
      return body;
    },
  );

  app.put(
    `${path}/:itemId`,
    {
      config: operation('catalogItems.update'),
      schema: {
        operationId: 'updateCatalogItem',
        tags,
        summary: 'Change an item of the catalog itself',
        params,
        body: ItemChange,
        response: { 200: ItemBody },
      },
    },
    async (request) => {
      const { catalog, value } = await items.change(callerOf(request), ...idsOf(request.params), request.body);
      return render(catalog, value);
    },
  );

  app.delete(
    `${path}/:itemId`,
    {
      config: operation('catalogItems.delete'),
      schema: {
        operationId: 'deleteCatalogItem',
        tags,
        summary: 'Delete an item of the catalog itself',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await items.remove(callerOf(request), ...idsOf(request.params));
      return reply.status(204).send(null);
    },
  );
}

function catalogIdOf({ catalogId }: { readonly catalogId: string }): CatalogId {
  return idOf('catalog', catalogId, 'catalogId');
}

function idsOf(given: Static<typeof params>): readonly [CatalogId, CatalogItemId] {
  return [catalogIdOf(given), idOf('catalogitem', given.itemId, 'itemId')];
}

function render(catalog: CatalogHead, item: Item, redacted?: RedactedAvailability): Static<typeof ItemBody> {
  if (item.stored !== undefined) return storedBody(catalog, item.stored);
  return offeredBody(catalog, item.id, redacted === undefined ? item.offered : redacted.offered(item.offered));
}
