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
import { SharedReads } from '../shared-reads.ts';
import { conditionOf } from './condition.ts';
import type { ListPage, ListRequest } from './contracts.ts';
import type { ListDefinition } from './definition.ts';
import { orderOf } from './order.ts';
import { countedPage, type Listing } from './pages.ts';
import { keyOf, rememberedPage } from './remembered-page.ts';
import { Shapes, Statements, type Shape } from './shape.ts';
import { watchedOf } from './staleness.ts';

/** `rows` are all that the caller may see, in no order; `asked` chooses among them. All of them are counted, every time. */
export async function readList<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  rows: SelectQueryBuilder<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  return countedPage(listingOf(list, { rows, bare: rows }, asked));
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
  const built = { rows, bare: rows };
  const shape = db.isTransaction ? undefined : shapeOf({ list, scope, rows: () => built }, asked);
  return shape === undefined ? countedPage(listingOf(list, built, asked)) : rememberedPage(db, shape, asked.page);
}

/** `of` is what the list is narrowed to besides its scope: plain values, which are compared as JSON. */
export type LoggedList<Of extends object, Row> = (
  db: Kysely<Tables>,
  scope: Scope,
  of: Of,
  asked: ListRequest,
) => Promise<ListPage<Row>>;

/**
 * The same again, for lists that are asked for often: what was put together for one is kept for the next page of it, and what several ask for at the same time
 * is read once. A repository takes part by having its list as a constant, `export const listThings = loggedList(thingList, (db, scope, { vdc }) => …)`, so that
 * `rows` depends on nothing but what it is given. `bare` are the same rows without what is shown beside them, for lists where PostgreSQL cannot leave that out by
 * itself when it counts and skips rows; the definition's fields must be of both.
 */
export function loggedList<Of extends object, DB, TB extends keyof DB, Row, BareDB, BareTB extends keyof BareDB>(
  list: ListDefinition,
  rows: RowsOf<Of, DB, TB, Row>,
  bare?: RowsOf<Of, BareDB, BareTB, unknown>,
): LoggedList<Of, Row> {
  const known = new WeakMap<Kysely<Tables>, Known<DB, TB, Row>>();
  const knownOf = (db: Kysely<Tables>): Known<DB, TB, Row> => {
    const kept = known.get(db) ?? { shapes: new Shapes(), pages: new SharedReads() };
    known.set(db, kept);
    return kept;
  };
  return async (db, scope, of, asked) => {
    const build = (): Built<DB, TB, Row> => {
      const shown = rows(db, scope, of);
      // Of these nothing is used but what the definition names, and that is SQL.
      return { rows: shown, bare: bare === undefined ? shown : (bare(db, scope, of) as unknown as typeof shown) };
    };
    // A transaction sees what it has written itself, and may yet take it back: nothing of that is to be remembered.
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

/** Undefined where nothing of the list may be remembered. */
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
