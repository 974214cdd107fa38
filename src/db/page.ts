/**
 * Pages by keyset: the next one starts after the last row that was seen, so that its cost does not grow with its number, and rows that come and go
 * meanwhile neither repeat nor hide others.
 */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';

/** Of a row in the order: its sort key as text, exactly as the database has it, and its id. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: Position;
  /** Also count all rows, of all pages. */
  readonly total?: boolean;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where there are more rows. */
  readonly next?: Position;
  readonly total?: number;
}

export interface Order {
  readonly key: RawBuilder<unknown>;
  readonly keyType: 'text' | 'timestamptz';
  readonly id: RawBuilder<unknown>;
  readonly direction: 'asc' | 'desc';
}

export function byName(table: string): Order {
  const key = sql`lower(${sql.ref(`${table}.name`)})`;
  return { key, keyType: 'text', id: sql.ref(`${table}.id`), direction: 'asc' };
}

export function newestFirst(table: string, column: string): Order {
  const key = sql.ref(`${table}.${column}`);
  // As text, since a Date has no microseconds: rows of the same millisecond would be skipped.
  return { key, keyType: 'timestamptz', id: sql.ref(`${table}.id`), direction: 'desc' };
}

export async function readPage<DB, TB extends keyof DB, Row extends { readonly id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  request: PageRequest,
): Promise<Page<Row>> {
  const found = (await ordered(after(query, order, request.after), order)
    .select(sql<string>`${order.key}::text`.as('page_key'))
    .limit(request.limit + 1)
    .execute()) as unknown as (Row & { readonly page_key: string })[];
  const last = found.length > request.limit ? found[request.limit - 1] : undefined;
  return {
    rows: found.slice(0, request.limit).map(withoutKey),
    ...(last === undefined ? {} : { next: { key: last.page_key, id: last.id } }),
    ...(request.total === true ? { total: await count(query) } : {}),
  };
}

function after<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  position: Position | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  if (position === undefined) return query;
  const beyond = sql.raw(order.direction === 'asc' ? '>' : '<');
  const key = sql`${position.key}::${sql.raw(order.keyType)}`;
  return query.where(sql<boolean>`(${order.key}, ${order.id}) ${beyond} (${key}, ${position.id}::uuid)`);
}

function ordered<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { key, id, direction }: Order,
): SelectQueryBuilder<DB, TB, Row> {
  return query.orderBy(key, direction).orderBy(id, direction);
}

async function count<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const { total } = (await query
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()) as unknown as { readonly total: number };
  return total;
}

function withoutKey<Row>({ page_key: _, ...row }: Row & { readonly page_key: string }): Row {
  return row as unknown as Row;
}
