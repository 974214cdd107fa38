/** A page of a list, by its number. */
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { conditionOf, fieldOf } from './condition.ts';
import { BadListRequest, type ListPage, type ListRequest, type Sort } from './contracts.ts';
import type { ListDefinition, ListField } from './definition.ts';

/** `rows` are all that the caller may see, without order; `asked` chooses among them. */
export async function readList<DB, TB extends keyof DB, Row>(
  list: ListDefinition,
  rows: SelectQueryBuilder<DB, TB, Row>,
  asked: ListRequest,
): Promise<ListPage<Row>> {
  const sort = asked.sort ?? list.order;
  const key = sortKey(list, sort);
  const chosen = asked.filter === undefined ? rows : rows.where(conditionOf(list, asked.filter));
  const counted = chosen.clearSelect().select(sql<number>`count(*)`.as('list_total'));
  const found = (await chosen
    .select(sql<number>`(${counted})`.as('list_total'))
    .orderBy(key, sort.direction)
    .orderBy(list.id, sort.direction)
    .limit(asked.pageSize)
    .offset((asked.page - 1) * asked.pageSize)
    .execute()) as unknown as (Row & { readonly list_total: number })[];
  const [first] = found;
  if (first !== undefined) return { rows: found.map(withoutTotal), total: first.list_total };
  if (asked.page === 1) return { rows: [], total: 0 };
  const { list_total } = (await counted.executeTakeFirstOrThrow()) as unknown as { readonly list_total: number };
  return { rows: [], total: list_total };
}

function sortKey(list: ListDefinition, { field: name }: Sort): RawBuilder<unknown> {
  const field: ListField | undefined = Object.hasOwn(list.fields, name) ? fieldOf(list, name) : undefined;
  if (field?.sortable === true) return field.value;
  const known = Object.keys(list.fields).filter((each) => list.fields[each]?.sortable === true);
  const shown = JSON.stringify(name.slice(0, 60));
  throw new BadListRequest(
    `sortAsc, sortDesc: ${list.name} cannot be sorted by ${shown}; by ${known.join(', ')} they can.`,
  );
}

function withoutTotal<Row>({ list_total: _, ...row }: Row & { readonly list_total: number }): Row {
  return row as unknown as Row;
}
