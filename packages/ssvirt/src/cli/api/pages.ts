import type { ApiClient } from './client.ts';

export interface ListQuestion {
  readonly filter?: string | undefined;
  /** A field name; with a leading dash in descending order. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
}

interface Page<T> {
  readonly pageCount: number;
  readonly values: readonly T[];
}

/** The largest page that the API returns. */
const largestPage = 128;

/** Reads page by page, and only as far as the caller iterates. */
export async function* listed<T>(client: ApiClient, path: string, asked: ListQuestion = {}): AsyncGenerator<T, void> {
  const { limit = Number.POSITIVE_INFINITY } = asked;
  const pageSize = Math.min(limit, largestPage);
  let left = limit;
  for (let page = 1; left > 0; page += 1) {
    const { values, pageCount } = await client.get<Page<T>>(`${path}?${queryOf(asked, page, pageSize)}`);
    yield* values.slice(0, left);
    left -= values.length;
    if (page >= pageCount || values.length === 0) return;
  }
}

export async function listOf<T>(client: ApiClient, path: string, asked: ListQuestion = {}): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of listed<T>(client, path, asked)) all.push(one);
  return all;
}

function queryOf({ filter, sort }: ListQuestion, page: number, pageSize: number): string {
  const query = new URLSearchParams({ page: String(page), pageSize: String(pageSize) });
  if (filter !== undefined) query.set('filter', filter);
  if (sort !== undefined) query.set(sort.startsWith('-') ? 'sortDesc' : 'sortAsc', sort.replace(/^-/, ''));
  return query.toString();
}
