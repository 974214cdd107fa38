/** Pages as VCD's clients expect them: an envelope, and `Link` headers to the neighboring pages. */
import type { ListPage, ListRequest } from '../../db/lists/contracts.ts';
import { parseListRequest } from './query/list-request.ts';
import type { Reply, Request } from './app-types.ts';

export interface PageBody<T> {
  readonly resultTotal: number;
  readonly pageCount: number;
  readonly page: number;
  readonly pageSize: number;
  readonly associations: never[];
  readonly values: T[];
}

/**
 * The requested page, filter and order, from the raw query. Throws BAD_REQUEST with the parameter, its value and the
 * rule.
 */
export function listRequest(request: Pick<Request, 'raw'>): ListRequest {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return parseListRequest(at < 0 ? '' : url.slice(at + 1));
}

/** `sendPage` sets the `Link` header and returns the envelope; `model` is VCD's name of the listed type. */
export function sendPage<Row, T>(
  { request, reply, model }: { readonly request: Request; readonly reply: Reply; readonly model: string },
  asked: ListRequest,
  { rows, total }: ListPage<Row>,
  render: (row: Row) => T,
): PageBody<T> {
  const pageCount = Math.ceil(total / asked.pageSize);
  const links = linksAround(request.raw.url ?? '/', asked.page, pageCount, model);
  if (links !== '') void reply.header('link', links);
  return {
    resultTotal: total,
    pageCount,
    page: asked.page,
    pageSize: asked.pageSize,
    associations: [],
    values: rows.map((row) => render(row)),
  };
}

function linksAround(url: string, page: number, pageCount: number, model: string): string {
  if (pageCount <= 1) return '';
  const to = (number: number, rel: string): string =>
    `<${withPage(url, number)}>;rel="${rel}";type="application/json";model="${model}"`;
  return [
    to(1, 'firstPage'),
    ...(page > 1 ? [to(Math.min(page - 1, pageCount), 'previousPage')] : []),
    ...(page < pageCount ? [to(page + 1, 'nextPage')] : []),
    to(pageCount, 'lastPage'),
  ].join(',');
}

/**
 * The same query with another page number; the rest stays unchanged, since each client encodes the filter in its own
 * way.
 */
function withPage(url: string, page: number): string {
  const [path = '/', query = ''] = splitOnce(url, '?');
  const parts = query.split('&').filter((part) => part !== '' && !part.startsWith('page='));
  return `${path}?${[`page=${page}`, ...parts].join('&')}`;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
