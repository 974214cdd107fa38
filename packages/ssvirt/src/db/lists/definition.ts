/**
 * What a list can be filtered and sorted by: the public names of fields, and their SQL. Names are compared without
 * regard to case, like the unique indexes of names, and so is every other text: `name==Web` finds the row that prevents
 * a second one with the name `web`.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Sort } from './contracts.ts';

export type FieldType = 'text' | 'boolean' | 'number' | 'timestamp' | 'id' | 'address';

export interface ListField {
  readonly type: FieldType;
  /** The value as it is compared and sorted: texts in lower case. */
  readonly value: RawBuilder<unknown>;
  /** What stands for no value, where that is not null. It is neither less nor greater than another value. */
  readonly none?: RawBuilder<unknown>;
  /**
   * Selects the ids of the rows that have this value, if a row may have several: `value` is the first one. PostgreSQL
   * does not know how few they are, so they are looked up before the rest of the statement is executed.
   */
  readonly having?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The table in which the field is, for a list that is in two. */
  readonly table?: string;
  /** All possible values. Another one is rejected, because it would find nothing. */
  readonly words?: readonly string[];
  /** A sortable field is never null, and indexes have it in order, followed by the id. */
  readonly sortable?: boolean;
  /**
   * The field never changes in a row: an update moves the row neither in an order nor out of a filter by this field.
   */
  readonly fixed?: boolean;
  /** The change log's kind of the other entity that the field comes from. */
  readonly from?: string;
  /** The change log's kinds whose observations of another status change the field. */
  readonly observed?: readonly string[];
  /** The change log's kinds any observation of which may change the field. */
  readonly noticed?: readonly string[];
  /** Changes outside the organization matter, too. */
  readonly elsewhere?: boolean;
}

/** The changes that must be absent from the log for a list to have the same rows in the same order. */
export interface ListChanges {
  readonly kinds: readonly string[];
  /** What an organization sees changes only with the log's rows of that organization. */
  readonly withinOrganization: boolean;
  /** An update can bring a row into the list or take it out, even without a filter. */
  readonly updatesMatter: boolean;
}

export interface ListDefinition {
  /** The noun for messages: "users". */
  readonly name: string;
  /** The row's id; it comes last in every order. */
  readonly id: RawBuilder<unknown>;
  readonly fields: Readonly<Record<string, ListField>>;
  readonly order: Sort;
  /** Absent when the change log does not cover the list: then nothing is cached for it. */
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

/** Observations of rows of these kinds change the field. */
export function seenIn(kinds: readonly string[], field: ListField): ListField {
  return { ...field, observed: kinds };
}

/** Any observation of rows of these kinds may change the field. */
export function noticedIn(kinds: readonly string[], field: ListField): ListField {
  return { ...field, noticed: kinds };
}

export function orNone(none: RawBuilder<unknown>, field: ListField): ListField {
  return { ...field, none };
}
