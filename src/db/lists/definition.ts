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
  /** All that it can be: another word is a mistake, of which nothing would be found. */
  readonly words?: readonly string[];
  /** Then it is never null, and indexes have it in order, with the id behind it. */
  readonly sortable?: boolean;
  /** Never changes in a row: an update of the row moves it neither in an order nor out of a filter by this field. */
  readonly fixed?: boolean;
  /** The kind in the change log of the other entity that the field comes from. */
  readonly from?: string;
  /** The kinds in the change log whose observations change it. */
  readonly observed?: readonly string[];
}

/** Of which changes the log has to be free for a list to have the same rows in the same order. */
export interface ListChanges {
  readonly kinds: readonly string[];
  /** What an organisation sees changes only with rows of the log that are its own. */
  readonly withinOrganization: boolean;
  /** An update can bring a row into the list, or take it out, though nothing is filtered. */
  readonly updatesMatter: boolean;
}

export interface ListDefinition {
  /** What is listed, for messages: "users". */
  readonly name: string;
  /** Of the row; it comes last in every order. */
  readonly id: RawBuilder<unknown>;
  readonly fields: Readonly<Record<string, ListField>>;
  readonly order: Sort;
  /** Absent where the change log does not have them: then nothing is remembered of the list. */
  readonly changes?: ListChanges;
}

export function text(column: string): ListField {
  return { type: 'text', value: sql`lower(${sql.ref(column)})` };
}

export function flag(column: string): ListField {
  return { type: 'boolean', value: sql.ref(column) };
}

export function number(column: string): ListField {
  return { type: 'number', value: sql.ref(column) };
}

export function timestamp(column: string): ListField {
  return { type: 'timestamp', value: sql.ref(column) };
}

export function id(column: string): ListField {
  return { type: 'id', value: sql.ref(column) };
}

export function sortable(field: ListField): ListField {
  return { ...field, sortable: true };
}

export function fixed(field: ListField): ListField {
  return { ...field, fixed: true };
}

export function oneOf(words: readonly string[], field: ListField): ListField {
  return { ...field, words };
}

export function of(kind: string, field: ListField): ListField {
  return { ...field, from: kind };
}

/** What clusters say of rows of these kinds changes it. */
export function seenIn(kinds: readonly string[], field: ListField): ListField {
  return { ...field, observed: kinds };
}
