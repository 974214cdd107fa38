/**
 * What a list can be filtered and sorted by: the public names of fields, and what they are in SQL. Names compare without regard to case, as the unique
 * indexes of names do, and so does every other text: `name==Web` finds what `web` would not be allowed beside.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Sort } from './contracts.ts';

export type FieldType = 'text' | 'boolean' | 'number' | 'timestamp' | 'id';

export interface ListField {
  readonly type: FieldType;
  /** As it is compared and sorted: texts in lower case. */
  readonly value: RawBuilder<unknown>;
  /** Then it is never null, and indexes have it in order, with the id behind it. */
  readonly sortable: boolean;
}

export interface ListDefinition {
  /** What is listed, for messages: "users". */
  readonly name: string;
  /** Of the row; it comes last in every order. */
  readonly id: RawBuilder<unknown>;
  readonly fields: Readonly<Record<string, ListField>>;
  readonly order: Sort;
}

export function text(column: string): ListField {
  return { type: 'text', value: sql`lower(${sql.ref(column)})`, sortable: false };
}

export function flag(column: string): ListField {
  return { type: 'boolean', value: sql.ref(column), sortable: false };
}

export function number(column: string): ListField {
  return { type: 'number', value: sql.ref(column), sortable: false };
}

export function timestamp(column: string): ListField {
  return { type: 'timestamp', value: sql.ref(column), sortable: false };
}

export function id(column: string): ListField {
  return { type: 'id', value: sql.ref(column), sortable: false };
}

export function sortable(field: ListField): ListField {
  return { ...field, sortable: true };
}
