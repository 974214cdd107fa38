/**
 * A page of a list, by its number, with the number of all rows; both exact, as of one moment.
 *
 * Counting and skipping rows would make every request as dear as the list is long. So a process remembers of the lists that were asked for how many rows
 * they have, and where every so manyth stands, with the snapshot at which that was so. A page is one statement that starts at the place before it, and
 * that also asks the change log whether anything has happened since the snapshot; if so its answer is thrown away, and the list is looked through again.
 * What the change log does not tell is counted every time, in the statement that reads the page.
 */
import { sql, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../schema.ts';
import type { Scope } from '../scope.ts';
import { conditionOf } from './condition.ts';
import type { ListPage, ListRequest } from './contracts.ts';
import type { ListDefinition } from './definition.ts';
import { orderOf } from './order.ts';
import { countedPage, type Listing } from './pages.ts';
import { rememberedPage } from './remembered-page.ts';
import { watchedOf } from './staleness.ts';

/** `rows` are all that the caller may see, in no order; `asked` chooses among them. All of them are counted, every time. */
export async function readList<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  rows: SelectQueryBuilder<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  return countedPage(listingOf(list, rows, asked));
}

export interface LoggedRows<DB, TB extends keyof DB, Row> {
  readonly list: ListDefinition;
  /** Whose changes can concern the rows. */
  readonly scope: Scope;
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
}

/** The same for rows whose changes are in the change log, as the definition says. */
export async function readLoggedList<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  { list, scope, rows }: LoggedRows<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  const listing = listingOf(list, rows, asked);
  // A transaction sees what it has written itself, and may yet take it back: nothing of that is to be remembered.
  const watched = db.isTransaction ? undefined : watchedOf(list, scope, asked);
  return watched === undefined ? countedPage(listing) : rememberedPage(db, listing, watched);
}

function listingOf<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  rows: SelectQueryBuilder<DB, TB, Row>,
  { filter, page, pageSize, sort = list.order }: ListRequest,
): Listing<DB, TB, Row> {
  const condition = filter === undefined ? undefined : conditionOf(list, filter);
  return {
    rows,
    chosen: condition === undefined ? rows : rows.where(condition),
    sifted: condition === undefined ? rows : rows.where(sql<SqlBool>`CASE WHEN ${condition} THEN true ELSE false END`),
    order: orderOf(list, sort),
    from: (page - 1) * pageSize,
    pageSize,
  };
}
