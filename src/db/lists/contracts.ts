/** What a list is asked for, and what it gives: a page by its number, filtered and sorted. */

export type Comparison = '==' | '!=' | '=gt=' | '=ge=' | '=lt=' | '=le=';

/** A value of a filter, without its escapes. */
export interface Operand {
  readonly text: string;
  /** The pieces between the wildcards, where there are any: `*a*b` is ['', 'a', 'b']. */
  readonly pieces?: readonly string[];
}

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'compare'; readonly field: string; readonly comparison: Comparison; readonly operand: Operand };

export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface ListRequest {
  /** From 1 on. */
  readonly page: number;
  readonly pageSize: number;
  readonly filter?: Filter;
  /** By the list's own order unless said. */
  readonly sort?: Sort;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Of all pages. */
  readonly total: number;
}

/** The filter or the order asks for what the list does not have; the message names the field, the value, the rule, and what there is. */
export class BadListRequest extends Error {
  override readonly name = 'BadListRequest';
}
