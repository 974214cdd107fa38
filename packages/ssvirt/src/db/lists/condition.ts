/** A filter as a condition in SQL. Every value is a parameter. */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { BadListRequest, type Comparison, type Filter, type Operand } from './contracts.ts';
import type { FieldType, ListDefinition, ListField } from './definition.ts';
import { rules, sqlTypes, valueOf } from './values.ts';

type Condition = RawBuilder<SqlBool>;
type Compare = Extract<Filter, { readonly kind: 'compare' }>;

export function conditionOf(list: ListDefinition, filter: Filter): Condition {
  if (filter.kind === 'compare') return compared(list, filter);
  const parts = filter.parts.map((part) => conditionOf(list, part));
  return sql<SqlBool>`(${sql.join(parts, filter.kind === 'and' ? sql` AND ` : sql` OR `)})`;
}

/** `fieldOf` returns the field, or throws a refusal that names the existing ones. */
export function fieldOf(list: ListDefinition, name: string): ListField {
  if (!Object.hasOwn(list.fields, name)) throw unknownField(list, name);
  return list.fields[name] as ListField;
}

function unknownField(list: ListDefinition, name: string): BadListRequest {
  const known = Object.keys(list.fields).join(', ');
  return new BadListRequest(`filter: ${list.name} have no field ${quoted(name)}; there are ${known}.`);
}

function compared(list: ListDefinition, { field: name, comparison, operand }: Compare): Condition {
  const field = fieldOf(list, name);
  if (operand.pieces !== undefined) return matched(name, field, comparison, operand.pieces);
  return compare(list.id, name, field, comparison, parameter(name, field, operand));
}

function parameter(name: string, { type, words }: ListField, { text }: Operand): RawBuilder<unknown> {
  const value = valueOf(type, text);
  if (value === undefined) throw new BadListRequest(`filter: ${name}: ${quoted(text)} is not ${rules[type]}.`);
  if (words !== undefined && !words.some((word) => word.toLowerCase() === text.toLowerCase()))
    throw new BadListRequest(`filter: ${name}: ${quoted(text)} is none of ${words.join(', ')}.`);
  const bound = sql`${value}::${sql.raw(sqlTypes[type])}`;
  return type === 'text' ? sql`lower(${bound})` : bound;
}

const operators: Readonly<Record<Comparison, string>> = {
  '==': '=',
  // A null differs from every value.
  '!=': 'IS DISTINCT FROM',
  '=gt=': '>',
  '=ge=': '>=',
  '=lt=': '<',
  '=le=': '<=',
};

const unordered = new Set<FieldType>(['boolean', 'id', 'address']);

function compare(
  id: RawBuilder<unknown>,
  name: string,
  { type, value, none, having }: ListField,
  comparison: Comparison,
  operand: RawBuilder<unknown>,
): Condition {
  const isOrder = comparison !== '==' && comparison !== '!=';
  if (isOrder && unordered.has(type))
    throw new BadListRequest(`filter: ${name}: ${comparison} does not compare ${rules[type]}; use == or !=.`);
  if (having !== undefined)
    return comparison === '=='
      ? sql<SqlBool>`${id} = ANY (ARRAY(${having(operand)}))`
      : sql<SqlBool>`${id} <> ALL (ARRAY(${having(operand)}))`;
  const compared = sql<SqlBool>`${value} ${sql.raw(operators[comparison])} ${operand}`;
  return isOrder && none !== undefined ? sql<SqlBool>`(${compared} AND ${value} <> ${none})` : compared;
}

function matched(
  name: string,
  { type, value }: ListField,
  comparison: Comparison,
  pieces: readonly string[],
): Condition {
  if (type !== 'text') throw new BadListRequest(`filter: ${name}: a wildcard cannot stand for ${rules[type]}.`);
  const pattern = pieces.map((piece) => piece.replaceAll(/[\\%_]/g, String.raw`\$&`)).join('%');
  const like = sql<SqlBool>`${value} LIKE lower(${pattern}::text)`;
  return comparison === '==' ? like : sql<SqlBool>`(${like}) IS NOT TRUE`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
