import { defined } from '@ssvirt/base/values/defined';
import type { TypedClient } from '@ssvirt/api-client/client';
import type { ApiClient } from './client.ts';

export interface ListQuestion {
  readonly filter?: string | undefined;
  /** A field name; with a leading dash in descending order. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly filter?: string;
  readonly sortAsc?: string;
  readonly sortDesc?: string;
}

interface Page<T> {
  readonly pageCount: number;
  readonly values: readonly T[];
}

/** Requests one page of a list. */
export type PageRequest<T> = (api: TypedClient, query: ListQuery) => Promise<Page<T>>;

/** The largest page that the API returns. */
const largestPage = 128;

/** Reads page by page, and only as far as the caller iterates. */
async function* listed<T>(
  client: ApiClient,
  list: PageRequest<T>,
  { limit = Number.POSITIVE_INFINITY, filter, sort }: ListQuestion,
): AsyncGenerator<T, void> {
  const pageSize = Math.min(limit, largestPage);
  const order = sort?.startsWith('-') === true ? { sortDesc: sort.slice(1) } : { sortAsc: sort };
  let left = limit;
  for (let page = 1; left > 0; page += 1) {
    const { values, pageCount } = await list(client.api, { page, pageSize, ...defined({ filter, ...order }) });
    yield* values.slice(0, left);
    left -= values.length;
    if (page >= pageCount || values.length === 0) return;
  }
}

export async function listOf<T>(
  client: ApiClient,
  list: PageRequest<T>,
  question: ListQuestion = {},
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of listed(client, list, question)) all.push(one);
  return all;
}
