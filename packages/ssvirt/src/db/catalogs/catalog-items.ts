/** Catalog items that are rows. Those that clusters offer (templates, data sources) are not stored. */
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';

import { catalogVisible } from './catalogs.ts';
import { markDeleted, holdLive } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { catalogItemList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { CatalogId, CatalogItemId, CatalogItemTable, Tables } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';
import { inTransaction } from '../connection/transaction.ts';

export type CatalogItem = Selectable<CatalogItemTable>;

export function createCatalogItem(db: Kysely<Tables>, item: New<CatalogItemTable>): Promise<CatalogItem> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'catalogs', item.catalog_id, ['catalog_items', 'catalog_id']);
    return fitting(tx.insertInto('catalog_items').values(item).returningAll().executeTakeFirstOrThrow());
  });
}

export const getCatalogItem = readOne((db, scope, id: CatalogItemId) =>
  visibleItems(db, scope).where('catalog_items.id', '=', id),
);

export function listCatalogItems(
  db: Kysely<Tables>,
  scope: Scope,
  catalog: CatalogId,
  asked: ListRequest,
): Promise<ListPage<CatalogItem>> {
  return itemsOf(db, scope, { catalog }, asked);
}

// The visibility of the catalog is checked once, not for each item.
const itemsOf = loggedList(catalogItemList, (db, scope, { catalog }: { readonly catalog: CatalogId }) =>
  db
    .selectFrom('catalog_items')
    .selectAll('catalog_items')
    .where('catalog_items.deleted_at', 'is', null)
    .where('catalog_items.catalog_id', '=', catalog)
    .where(sql<SqlBool>`EXISTS (SELECT FROM catalogs WHERE catalogs.id = ${catalog} AND ${catalogVisible(scope)})`),
);

export function updateCatalogItem(
  db: Kysely<Tables>,
  id: CatalogItemId,
  change: ColumnChanges<CatalogItemTable, 'catalog_id'>,
): Promise<CatalogItem | undefined> {
  return fitting(
    db
      .updateTable('catalog_items')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
}

export function deleteCatalogItem(db: Kysely<Tables>, id: CatalogItemId): Promise<boolean> {
  return markDeleted(db, 'catalog_items', id);
}

function visibleItems(db: Kysely<Tables>, scope: Scope) {
  return db
    .selectFrom('catalog_items')
    .innerJoin('catalogs', 'catalogs.id', 'catalog_items.catalog_id')
    .selectAll('catalog_items')
    .where('catalog_items.deleted_at', 'is', null)
    .where(catalogVisible(scope));
}
