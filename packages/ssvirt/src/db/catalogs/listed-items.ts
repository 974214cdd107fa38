/**
 * Lists the stored items of a catalog together with what clusters offer, which is not stored. The offers are passed to
 * PostgreSQL with the query, so that both are compared, filtered, sorted and paged by one rule; merging them outside
 * would mean to sort as the database's collation does. The cost of a page grows with both (at most some thousands of
 * each). A catalog without offers is listed like every other table.
 */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { CatalogItem } from './catalog-items.ts';
import { catalogVisible } from './catalogs.ts';
import { conditionOf } from '../lists/condition.ts';
import type { ListPage, ListRequest } from '../lists/contracts.ts';
import { flag, id, oneOf, sortable, text, timestamp, type ListDefinition } from '../lists/definition.ts';
import { orderOf } from '../lists/order.ts';
import type { CatalogId, CatalogItemId, Tables } from '../schema/schema.ts';
import { inScope, type Scope } from '../schema/scope.ts';
import { itemStatuses } from '../vms/statuses.ts';

/** `OfferedItem` holds the fields by which an offer is found. The caller has the rest of it, under its id. */
export interface OfferedItem {
  readonly id: CatalogItemId;
  readonly name: string;
  readonly description: string;
  /** Those that can be used there now. */
  readonly clusters: readonly string[];
  readonly source_kind: string;
  readonly created_at: string | null;
}

/** Offers as the statement takes them: serialized once and sent with every query. */
export type Offered = string & { readonly offered: true };

export function offeredRows(items: readonly OfferedItem[]): Offered {
  return JSON.stringify(items) as Offered;
}

/** `UsableClusters` holds the clusters in which the caller can create VMs: those of the scope's enabled VDCs. */
export type UsableClusters = ReadonlySet<string> | 'all';

export async function usableClusters(db: Kysely<Tables>, scope: Scope): Promise<UsableClusters> {
  if (scope === 'all') return 'all';
  const { rows } = await sql<{ cluster: string }>`
    SELECT DISTINCT cluster FROM vdcs
    WHERE deleted_at IS NULL AND enabled AND desired_state = 'present' AND ${inScope(scope, 'organization_id')}
  `.execute(db);
  return new Set(rows.map(({ cluster }) => cluster));
}

export interface ListedItem {
  readonly id: CatalogItemId;
  /** Absent for an offer. */
  readonly stored?: CatalogItem;
}

const list: ListDefinition = {
  name: 'catalog items',
  id: sql.ref('items.id'),
  order: { field: 'name', direction: 'asc' },
  fields: {
    id: id('items.id'),
    name: sortable(text('items.name')),
    description: text('items.description'),
    status: oneOf(itemStatuses, sortable(text('items.status'))),
    'source.kind': sortable(text('items.source_kind')),
    isPublished: flag('items.published'),
    createdAt: sortable(timestamp('items.created_at')),
    creationDate: sortable(timestamp('items.created_at')),
    updatedAt: timestamp('items.updated_at'),
  },
};

type Found = { readonly total: number; readonly item_id: CatalogItemId | null } & (
  | CatalogItem
  | { readonly [K in keyof CatalogItem]: null }
);

export interface OfferedInCatalog {
  readonly catalog: CatalogId;
  readonly offered: Offered;
  readonly usable: UsableClusters;
}

export async function listItemsAndOffers(
  db: Kysely<Tables>,
  scope: Scope,
  { catalog, offered, usable }: OfferedInCatalog,
  { page, pageSize, filter, sort = list.order }: ListRequest,
): Promise<ListPage<ListedItem>> {
  const { field, direction } = orderOf(list, sort);
  const way = sql.raw(direction);
  const condition = filter === undefined ? sql<SqlBool>`true` : conditionOf(list, filter);
  const { rows } = await sql<Found>`
    WITH chosen AS MATERIALIZED (
      SELECT items.id, ${field.value} AS key FROM (${itemsAndOffers(scope, { catalog, offered, usable })}) items WHERE ${condition}
    ), page AS (
      SELECT * FROM chosen ORDER BY key ${way}, id ${way} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
    )
    SELECT counted.total, page.id AS item_id, catalog_items.*
    FROM (SELECT count(*) AS total FROM chosen) counted
    LEFT JOIN page ON true
    LEFT JOIN catalog_items ON catalog_items.id = page.id
    ORDER BY page.key ${way}, page.id ${way}
  `.execute(db);
  return { rows: rows.flatMap(listed), total: rows[0]?.total ?? 0 };
}

function listed({ total: _, item_id, ...row }: Found): readonly ListedItem[] {
  // A page behind the last one has the total only.
  if (item_id === null) return [];
  return [row.id === null ? { id: item_id } : { id: item_id, stored: row }];
}

function itemsAndOffers(scope: Scope, { catalog, offered, usable }: OfferedInCatalog): RawBuilder<unknown> {
  const available =
    usable === 'all' ? sql`cardinality(offered.clusters) > 0` : sql`offered.clusters && ${[...usable]}::text[]`;
  return sql`
    SELECT catalog_items.id, catalog_items.name, catalog_items.description, 'AVAILABLE' AS status, 'database' AS source_kind,
      catalogs.published, catalog_items.created_at, catalog_items.updated_at
    FROM catalog_items JOIN catalogs ON catalogs.id = catalog_items.catalog_id
    WHERE catalog_items.catalog_id = ${catalog} AND catalog_items.deleted_at IS NULL AND ${catalogVisible(scope)}
    UNION ALL
    SELECT offered.id, offered.name, offered.description,
      CASE WHEN ${available} THEN 'AVAILABLE' ELSE 'UNAVAILABLE' END, offered.source_kind,
      catalogs.published, offered.created_at, offered.created_at
    FROM json_to_recordset(${offered}::json) AS offered
      (id uuid, name text, description text, clusters text[], source_kind text, created_at timestamptz), catalogs
    WHERE catalogs.id = ${catalog} AND ${catalogVisible(scope)}`;
}
