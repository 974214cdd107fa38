/** The statements that read a page, and those that scan a whole list. */
import { defined } from '@ssvirt/base/values/defined';
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import type { ListPage } from './contracts.ts';
import { beyond, ordered, type SortOrder, type SortPosition } from './order.ts';
import type { Remembered } from './totals.ts';

export interface Listing<DB, TB extends keyof DB, Row> {
  /** All rows of the scope, with all columns that are shown. */
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
  /** The rows that the filter chooses. */
  readonly chosen: SelectQueryBuilder<DB, TB, Row>;
  /**
   * The same, for a filter that many rows pass. The filter is hidden from the planner, which would otherwise look up
   * the matching rows and sort them.
   */
  readonly sifted: SelectQueryBuilder<DB, TB, Row>;
  readonly order: SortOrder;
  /** The number of rows before the page. */
  readonly from: number;
  readonly pageSize: number;
}

/** `countedPage` reads the page and counts all rows in the same statement. */
export async function countedPage<DB, TB extends keyof DB, Row>(listing: Listing<DB, TB, Row>): Promise<ListPage<Row>> {
  const counted = listing.chosen.clearSelect().select(sql<number>`count(*)`.as('list_total'));
  const { rows, note } = await rowsWith(listing, sql<number>`(${counted})`, { skip: listing.from });
  if (note !== undefined) return { rows, total: note };
  if (listing.from === 0) return { rows, total: 0 };
  const { list_total } = (await counted.executeTakeFirstOrThrow()) as unknown as { readonly list_total: number };
  return { rows, total: list_total };
}

/** Where a page begins, and how to find it. */
export interface PageStart {
  /**
   * Many rows pass the filter: scanning all rows in order finds the next ones sooner, and one plan serves all values.
   */
  readonly sift?: boolean;
  readonly after?: SortPosition;
  readonly skip: number;
}

/** `Noted` is a row with the value of the statement's `extra`. */
export type Noted<Row, Note> = Row & { list_note?: Note };

/**
 * Reads the rows of the page and the value of `extra` in the same statement; the note is undefined when there are no
 * rows. The ids are found first, from an index alone, so the shown columns are fetched only for the rows of the page
 * and not for the skipped ones.
 */
export async function rowsWith<DB, TB extends keyof DB, Row, Note>(
  listing: Listing<DB, TB, Row>,
  extra: RawBuilder<Note>,
  place: PageStart,
): Promise<{ rows: readonly Row[]; note?: Note }> {
  return withNote((await pageQuery(listing, extra, place).execute()) as unknown as readonly Noted<Row, Note>[]);
}

export function pageQuery<DB, TB extends keyof DB, Row>(
  { rows, chosen, sifted, order, pageSize }: Listing<DB, TB, Row>,
  extra: RawBuilder<unknown>,
  { after, skip, sift = false }: PageStart,
): SelectQueryBuilder<DB, TB, unknown> {
  const passing = sift ? sifted : chosen;
  const behind = after === undefined ? passing : passing.where(beyond(order, after));
  // Literals: with parameters, PostgreSQL plans for an unknown limit and offset, which it takes for a tenth of the
  // table.
  const ids = ordered(behind, order)
    .clearSelect()
    .select(order.id.as('list_id'))
    .limit(sql.lit(pageSize))
    .offset(sql.lit(skip));
  return ordered(rows.where(sql<SqlBool>`${order.id} = ANY (ARRAY(${ids}))`), order).select(extra.as('list_note'));
}

/** `withNote` removes the note from the rows that carried it. */
export function withNote<Row, Note>(found: readonly Noted<Row, Note>[]): { rows: readonly Row[]; note?: Note } {
  const note = found[0]?.list_note;
  for (const row of found) delete row.list_note;
  return { rows: found, ...defined({ note }) };
}

export async function counted<DB, TB extends keyof DB, Row>({ chosen }: Listing<DB, TB, Row>): Promise<Remembered> {
  const [found] = (await chosen
    .clearSelect()
    .select([sql<string>`pg_current_snapshot()::text`.as('snapshot'), sql<number>`count(*)`.as('total')])
    .execute()) as unknown as Remembered[];
  if (found === undefined) throw new Error('cannot count the rows of a list: PostgreSQL gave no row for an aggregate');
  return found;
}

/** `surveyed` counts all rows and records the position of every `step`th row. */
export async function surveyed<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  { chosen, order: { field, id, direction } }: Listing<DB, TB, Row>,
  step: number,
): Promise<Remembered> {
  const way = sql.raw(direction);
  const numbered = chosen
    .clearSelect()
    .select([field.value.as('list_key'), id.as('list_id')])
    .select(sql`row_number() OVER (ORDER BY ${field.value} ${way}, ${id} ${way})`.as('list_number'));
  // Not sorted in SQL, which would sort all rows: the few positions arrive in order or nearly so.
  const place = sql`jsonb_build_array(list_number, list_key::text, list_id)`;
  const { rows } = await sql<{ snapshot: string; total: number; places: readonly PlaceOfRow[] }>`
    SELECT pg_current_snapshot()::text AS snapshot, count(*) AS total,
      coalesce(jsonb_agg(${place}) FILTER (WHERE list_number % ${sql.lit(step)} = 0), '[]') AS places
    FROM (${numbered}) numbered
  `.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('cannot survey a list: PostgreSQL gave no row for an aggregate');
  const { snapshot, total, places } = found;
  const inOrder = places.toSorted(([one], [other]) => one - other);
  return { snapshot, total, anchors: { step, positions: inOrder.map(([, key, at]) => ({ key, id: at })) } };
}

type PlaceOfRow = readonly [number: number, key: string, id: string];
