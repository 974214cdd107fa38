import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely';

import { deleteUnused, holdLive } from '../retention/deletion.ts';
import { fitting } from '../connection/duplicate.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { catalogList } from '../lists/definitions.ts';
import { loggedList } from '../lists/read-list.ts';
import { readOne } from '../connection/read-one.ts';
import type { ColumnChanges, New } from '../connection/rows.ts';
import type { CatalogId, CatalogTable, Tables } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { inTransaction } from '../connection/transaction.ts';

/** `CatalogHead` is a catalog without the number of its items, which may be expensive to count. */
export interface CatalogHead extends Selectable<CatalogTable> {
  readonly organization_name: string;
  /** Null when the catalog has no owner. */
  readonly owner_name: string | null;
}

export interface Catalog extends CatalogHead {
  /** Counts stored items only, not what clusters offer. */
  readonly item_count: number;
}

/** An organization sees its own catalogs and those that others published. */
export function catalogVisible(scope: Scope): RawBuilder<SqlBool> {
  return sql<SqlBool>`catalogs.deleted_at IS NULL AND (catalogs.published OR ${inScope(scope, 'catalogs.organization_id')})`;
}

export function createCatalog(db: Kysely<Tables>, catalog: New<CatalogTable, 'version'>): Promise<Catalog> {
  return inTransaction(db, async (tx) => {
    await holdLive(tx, 'organizations', catalog.organization_id, ['catalogs', 'organization_id']);
    const { id } = await fitting(tx.insertInto('catalogs').values(catalog).returning('id').executeTakeFirstOrThrow());
    return visibleCatalogs(tx, 'all').where('catalogs.id', '=', id).executeTakeFirstOrThrow();
  });
}

export function getCatalog(db: Kysely<Tables>, scope: Scope, id: CatalogId): Promise<Catalog | undefined> {
  return visibleCatalogs(db, scope).where('catalogs.id', '=', id).executeTakeFirst();
}

export const getCatalogHead = readOne((db, scope, id: CatalogId) =>
  visibleHeads(db, scope).where('catalogs.id', '=', id),
);

/** Catalogs that show what clusters offer, with those of the scope first, because they are used most. */
export async function catalogsWithTemplates(db: Kysely<Tables>, scope: Scope): Promise<readonly CatalogId[]> {
  const rows = await db
    .selectFrom('catalogs')
    .select('id')
    .where('includes_templates', '=', true)
    .where(catalogVisible(scope))
    // For the scope `all` the expression would be a constant, which PostgreSQL takes for a column number; hence IS
    // TRUE.
    .orderBy(sql`(${inScope(scope, 'catalogs.organization_id')}) IS TRUE DESC`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

const catalogs = loggedList(catalogList, (db, scope) => visibleCatalogs(db, scope));

export function listCatalogs(db: Kysely<Tables>, scope: Scope, asked: ListRequest): Promise<ListPage<Catalog>> {
  return catalogs(db, scope, {}, asked);
}

type CatalogChange = ColumnChanges<CatalogTable, 'organization_id' | 'version'>;

/** Each change makes a new version. */
export async function updateCatalog(
  db: Kysely<Tables>,
  id: CatalogId,
  change: CatalogChange,
): Promise<Catalog | undefined> {
  await writeVersion(db, id, change);
  return getCatalog(db, 'all', id);
}

/** Call this when an item of the catalog is about to change. */
export async function raiseCatalogVersion(db: Kysely<Tables>, id: CatalogId): Promise<CatalogHead | undefined> {
  await writeVersion(db, id, {});
  return getCatalogHead(db, 'all', id);
}

async function writeVersion(db: Kysely<Tables>, id: CatalogId, change: CatalogChange): Promise<void> {
  const update = db
    .updateTable('catalogs')
    .set((row) => ({ ...change, version: row('version', '+', 1), updated_at: sql<Date>`now()` }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  await fitting(update.execute());
}

export async function countItems(db: Kysely<Tables>, id: CatalogId): Promise<number> {
  const { count } = await db
    .selectFrom('catalog_items')
    .select(sql<number>`count(*)`.as('count'))
    .where('catalog_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** `deleteCatalog` rejects with `InUse` while the catalog has items. */
export function deleteCatalog(db: Kysely<Tables>, id: CatalogId): Promise<boolean> {
  return inTransaction(db, (tx) => deleteUnused(tx, 'catalogs', id));
}

function visibleCatalogs(db: Kysely<Tables>, scope: Scope) {
  return visibleHeads(db, scope).select(
    sql<number>`(
      SELECT count(*) FROM catalog_items
      WHERE catalog_items.catalog_id = catalogs.id AND catalog_items.deleted_at IS NULL
    )`.as('item_count'),
  );
}

function visibleHeads(db: Kysely<Tables>, scope: Scope) {
  return (
    db
      .selectFrom('catalogs')
      // Every catalog has an organization. It is a left join because PostgreSQL skips one of which no column is used,
      // as in a count.
      .leftJoin('organizations', 'organizations.id', 'catalogs.organization_id')
      .leftJoin('users as owners', 'owners.id', 'catalogs.owner_id')
      .selectAll('catalogs')
      .select([sql<string>`organizations.name`.as('organization_name'), 'owners.username as owner_name'])
      .where(catalogVisible(scope))
  );
}
