/** The order of a list: by one field, then by the id, so that every row has exactly one position. */
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { BadListRequest, type Sort } from './contracts.ts';
import type { ListDefinition, ListField } from './definition.ts';
import { sqlTypes } from './values.ts';

/**
 * A position in the order: the sort key as text, exactly as the database has it (a Date has no microseconds), and the
 * id.
 */
export interface SortPosition {
  readonly key: string;
  readonly id: string;
}

export interface SortOrder {
  readonly field: ListField;
  readonly id: RawBuilder<unknown>;
  readonly direction: 'asc' | 'desc';
}

export function orderOf(list: ListDefinition, { field: name, direction }: Sort): SortOrder {
  const field = Object.hasOwn(list.fields, name) ? list.fields[name] : undefined;
  if (field?.sortable === true) return { field, id: list.id, direction };
  const known = Object.keys(list.fields).filter((each) => list.fields[each]?.sortable === true);
  throw new BadListRequest(
    `sortAsc, sortDesc: ${list.name} cannot be sorted by ${JSON.stringify(name.slice(0, 60))}; by ${known.join(', ')} they can.`,
  );
}

export function ordered<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { field, id, direction }: SortOrder,
): SelectQueryBuilder<DB, TB, Row> {
  return query.orderBy(field.value, direction).orderBy(id, direction);
}

/** `beyond` selects the rows behind the position. */
export function beyond({ field, id, direction }: SortOrder, position: SortPosition): RawBuilder<SqlBool> {
  const key = sql`${position.key}::${sql.raw(sqlTypes[field.type])}`;
  const further = sql.raw(direction === 'asc' ? '>' : '<');
  return sql<SqlBool>`(${field.value}, ${id}) ${further} (${key}, ${position.id}::uuid)`;
}
