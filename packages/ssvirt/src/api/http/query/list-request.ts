/**
 * Reads the query of a list from its raw text: values of FIQL are decoded only after the filter is split at its
 * operators. Other parameters are left to the schema of the route; `filterEncoded`, which some clients send, is
 * ignored.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { ListRequest, Sort } from '../../../db/lists/contracts.ts';
import { badRequest } from '../../errors.ts';
import { maxPageSize } from '../schemas.ts';
import { decodeComponent } from './encoding.ts';
import { parseFilter } from './fiql.ts';

const names = ['page', 'pageSize', 'filter', 'sortAsc', 'sortDesc'] as const;
type Name = (typeof names)[number];
type Parameters = Readonly<Partial<Record<Name, string>>>;

const defaultPageSize = 25;
/** Far beyond any list, and small enough to compute a row offset. */
const maxPage = 10_000_000;

export function parseListRequest(rawQuery: string): ListRequest {
  const raw = parametersOf(rawQuery);
  const sort = sortOf(raw);
  const filter = raw.filter === undefined || raw.filter === '' ? undefined : parseFilter(raw.filter);
  return {
    page: wholeNumber('page', raw.page, 1, maxPage),
    pageSize: wholeNumber('pageSize', raw.pageSize, defaultPageSize, maxPageSize),
    ...defined({ filter, sort }),
  };
}

/** Raw values by name. The query may start with `&`; the parameters come in any order, each once. */
function parametersOf(rawQuery: string): Parameters {
  const found: Partial<Record<Name, string>> = {};
  for (const part of rawQuery.split('&')) {
    const at = part.indexOf('=');
    const key = at < 0 ? part : part.slice(0, at);
    const name = names.find((known) => known === key);
    if (name === undefined) continue;
    if (found[name] !== undefined) throw badRequest(`${name}: appears in the query twice; give it once.`);
    found[name] = at < 0 ? '' : part.slice(at + 1);
  }
  return found;
}

function sortOf({ sortAsc, sortDesc }: Parameters): Sort | undefined {
  if (sortAsc !== undefined && sortDesc !== undefined) throw badRequest('sortAsc and sortDesc: give only one of them.');
  const raw = sortAsc ?? sortDesc ?? '';
  if (raw === '') return undefined;
  const name = sortAsc === undefined ? 'sortDesc' : 'sortAsc';
  return { field: decodeComponent(raw, name), direction: sortAsc === undefined ? 'desc' : 'asc' };
}

function wholeNumber(name: Name, raw: string | undefined, fallback: number, most: number): number {
  if (raw === undefined || raw === '') return fallback;
  const text = decodeComponent(raw, name);
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw badRequest(`${name}: ${JSON.stringify(text.slice(0, 50))} must be a whole number from 1 to ${most}.`);
  return number;
}
