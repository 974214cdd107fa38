/** The request and the result of a list: a page by number, filtered and sorted. */

export type Comparison = '==' | '!=' | '=gt=' | '=ge=' | '=lt=' | '=le=';

/** `Operand` is a value of a filter, unescaped. */
export interface Operand {
  readonly text: string;
  /** The pieces between the wildcards, if any: `*a*b` is ['', 'a', 'b']. */
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
  /** Starts at 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly filter?: Filter;
  /** The default is the list's own order. */
  readonly sort?: Sort;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The number of rows on all pages. */
  readonly total: number;
}

/**
 * The filter or the order uses something that the list does not have. The message names the field, the value, the rule
 * and the valid choices.
 */
export class BadListRequest extends Error {
  override readonly name = 'BadListRequest';
}
