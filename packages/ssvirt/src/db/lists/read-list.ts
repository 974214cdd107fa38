/**
 * Reads a page of a list by its number, with the number of all rows. Both are exact and from the same moment.
 *
 * Counting and skipping rows would make every request as expensive as the list is long. So a process caches, for each
 * list that was requested, the number of rows and the position of every n-th row, together with the snapshot in which
 * that was true. A page is one statement that starts at the cached position before it and also asks the change log
 * whether anything has changed since the snapshot. If so, the answer is discarded and the list is scanned again. Lists
 * that the change log does not cover are counted every time, in the statement that reads the page.
 */
import { sql, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';
import { SharedReads } from '../connection/shared-reads.ts';
import { conditionOf } from './condition.ts';
import type { ListPage, ListRequest } from './contracts.ts';
import type { ListDefinition } from './definition.ts';
import { orderOf } from './order.ts';
import { countedPage, type Listing } from './pages.ts';
import { keyOf, rememberedPage } from './remembered-page.ts';
import { Shapes, Statements, type Shape } from './shape.ts';
import { watchedOf } from './staleness.ts';

/** `rows` are all rows that the caller may see, unordered; `asked` selects from them. Counts all of them every time. */
export async function readList<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  rows: SelectQueryBuilder<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  return countedPage(listingOf(list, { rows, bare: rows }, asked));
}

export interface LoggedRows<DB, TB extends keyof DB, Row> {
  readonly list: ListDefinition;
  /** The scope whose changes can affect the rows. */
  readonly scope: Scope;
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
}

/** The same for a list whose changes are in the change log, as its definition says. It may use the cache. */
export async function readLoggedList<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  { list, scope, rows }: LoggedRows<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  const built = { rows, bare: rows };
  const shape = db.isTransaction ? undefined : shapeOf({ list, scope, rows: () => built }, asked);
  return shape === undefined ? countedPage(listingOf(list, built, asked)) : rememberedPage(db, shape, asked.page);
}

/** `of` narrows the list further than its scope: plain values, which are compared as JSON. */
export type LoggedList<Of extends object, Row> = (
  db: Kysely<Tables>,
  scope: Scope,
  of: Of,
  asked: ListRequest,
) => Promise<ListPage<Row>>;

/**
 * The same for lists that are read often. The statements built for one page are kept for the next, and concurrent
 * requests for the same page are read once.
 *
 * A repository uses it by having its list as a constant, `export const listThings = loggedList(thingList, (db, scope, {
 * vdc }) => …)`, so that `rows` depends only on its arguments. `bare` are the same rows without the columns that are
 * only shown, for lists where PostgreSQL cannot leave these out by itself when it counts and skips rows. Both must have
 * the fields of the definition.
 */
export function loggedList<Of extends object, DB, TB extends keyof DB, Row, BareDB, BareTB extends keyof BareDB>(
  list: ListDefinition,
  rows: RowsOf<Of, DB, TB, Row>,
  bare?: RowsOf<Of, BareDB, BareTB, unknown>,
): LoggedList<Of, Row> {
  const known = new WeakMap<Kysely<Tables>, Known<DB, TB, Row>>();
  const knownOf = (db: Kysely<Tables>): Known<DB, TB, Row> => {
    const entry = known.get(db) ?? { shapes: new Shapes(), pages: new SharedReads() };
    known.set(db, entry);
    return entry;
  };
  return async (db, scope, of, asked) => {
    const build = (): Built<DB, TB, Row> => {
      const shown = rows(db, scope, of);
      // Only the fields that the definition names are used, and these are SQL.
      return { rows: shown, bare: bare === undefined ? shown : (bare(db, scope, of) as unknown as typeof shown) };
    };
    // A transaction sees its own writes and may still roll back: nothing it reads may be cached.
    if (db.isTransaction) return countedPage(listingOf(list, build(), asked));
    const { shapes, pages } = knownOf(db);
    const { page, ...wanted } = asked;
    const key = JSON.stringify([scope, of, wanted]);
    const shape = shapes.of(key, () => shapeOf({ list, scope, rows: build }, asked));
    return pages.read(`${page} ${key}`, () =>
      shape === undefined ? countedPage(listingOf(list, build(), asked)) : rememberedPage(db, shape, page),
    );
  };
}

type RowsOf<Of, DB, TB extends keyof DB, Row> = (
  db: Kysely<Tables>,
  scope: Scope,
  of: Of,
) => SelectQueryBuilder<DB, TB, Row>;

interface Built<DB, TB extends keyof DB, Row> {
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
  readonly bare: SelectQueryBuilder<DB, TB, Row>;
}

interface Known<DB, TB extends keyof DB, Row> {
  readonly shapes: Shapes<Shape<DB, TB, Row> | undefined>;
  readonly pages: SharedReads<ListPage<Row>>;
}

/** Undefined when nothing of the list may be cached. */
function shapeOf<DB, TB extends keyof DB, Row>(
  { list, scope, rows }: Pick<LoggedRows<DB, TB, Row>, 'list' | 'scope'> & { rows: () => Built<DB, TB, Row> },
  asked: ListRequest,
): Shape<DB, TB, Row> | undefined {
  const watched = watchedOf(list, scope, asked);
  if (watched === undefined) return undefined;
  const listing = (page: number) => listingOf(list, rows(), { ...asked, page });
  const { pageSize } = asked;
  return { key: keyOf(listing(1)), watched, pageSize, listing, statements: new Statements() };
}

function listingOf<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  { rows, bare }: Built<DB, TB, Row>,
  { filter, page, pageSize, sort = list.order }: ListRequest,
): Listing<DB, TB, Row> {
  const condition = filter === undefined ? undefined : conditionOf(list, filter);
  return {
    rows,
    chosen: condition === undefined ? bare : bare.where(condition),
    sifted: condition === undefined ? bare : bare.where(sql<SqlBool>`CASE WHEN ${condition} THEN true ELSE false END`),
    order: orderOf(list, sort),
    from: (page - 1) * pageSize,
    pageSize,
  };
}
