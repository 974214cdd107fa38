/** Filters, orders, pages and totals. */
import { witnesses, type ApiDefect } from '../defect.ts';

const requests = witnesses(
  'api/query/list-request.test.ts',
  'are read in any order, behind an ampersand too, each with its default',
);
const reads = witnesses('api/query/list-request.test.ts', 'what is as deep and as long as it may be is understood');
const filters = witnesses('db/lists/filters.test.ts', 'by what cannot be sorted by is refused, with what can');
const exactness = witnesses('db/lists/exactness.test.ts', 'an organisation that is deleted');
const tenants = witnesses('db/tenants.test.ts', 'a role is held by live users only');
const items = witnesses(
  'api/catalog-items/catalog-items.test.ts',
  'that a cluster offers are shown with all that is known of them, and no secret',
);

const parsing: readonly ApiDefect[] = [
  {
    name: 'or binds before and',
    file: 'api/query/fiql.ts',
    find: "return this.#joined(',', 'or', () => this.#allOf(depth));\n  }\n\n  #allOf(depth: number): Filter {\n    return this.#joined(';', 'and', () => this.#unit(depth));",
    replace:
      "return this.#joined(';', 'and', () => this.#allOf(depth));\n  }\n\n  #allOf(depth: number): Filter {\n    return this.#joined(',', 'or', () => this.#unit(depth));",
    noticedBy: requests('; binds tighter than ,: a==1;b==2,c==3'),
  },
  {
    name: 'an asterisk cannot be meant',
    file: 'api/query/operand.ts',
    find: "'\\\\', '*'])",
    replace: "'\\\\'])",
    noticedBy: requests('is the same when it is rendered and read again, in both encodings'),
  },
  {
    name: 'an asterisk stands for anything only where texts are equal',
    file: 'api/query/operand.ts',
    find: "comparison === '==' || comparison === '!='",
    replace: "comparison === '=='",
    noticedBy: requests('a wildcard stands between pieces, and only where texts are equal or not'),
  },
  {
    name: 'the order is the other way round',
    file: 'api/query/list-request.ts',
    find: "direction: sortAsc === undefined ? 'desc' : 'asc'",
    replace: "direction: sortAsc === undefined ? 'asc' : 'desc'",
    noticedBy: reads('are read in any order, behind an ampersand too, each with its default'),
  },
];

const conditions: readonly ApiDefect[] = [
  {
    name: 'an underscore stands for any letter',
    file: 'db/lists/condition.ts',
    find: 'piece.replaceAll(/[\\\\%_]/g',
    replace: 'piece.replaceAll(/[\\\\%]/g',
    noticedBy: filters('fullName==_*'),
  },
  {
    name: 'what has no value is not different',
    file: 'db/lists/condition.ts',
    find: "'IS DISTINCT FROM'",
    replace: "'<>'",
    noticedBy: filters('takes no value for different from every value'),
  },
  {
    name: 'all that is asked for together is any of it',
    file: 'db/lists/condition.ts',
    find: "filter.kind === 'and' ? sql` AND ` : sql` OR `",
    replace: 'sql` OR `',
    noticedBy: filters('is put together with and, or'),
  },
  {
    name: 'texts are told apart by their case',
    file: 'db/lists/condition.ts',
    find: "type === 'text' ? sql`lower(${bound})` : bound",
    replace: 'bound',
    noticedBy: filters('username==aNN'),
  },
  {
    name: 'equal rows have no order',
    file: 'db/lists/order.ts',
    find: 'orderBy(field.value, direction).orderBy(id, direction)',
    replace: "orderBy(field.value, direction).orderBy(id, 'asc')",
    noticedBy: filters('is the one that is asked for, and by the id where that is equal'),
  },
];

const pages: readonly ApiDefect[] = [
  {
    name: 'pages begin with the second',
    file: 'db/lists/read-list.ts',
    find: 'from: (page - 1) * pageSize',
    replace: 'from: page * pageSize',
    noticedBy: tenants('pages are in the order of names, and say how many rows there are at this moment'),
  },
  {
    name: 'a page begins a row too late behind what is remembered',
    file: 'db/lists/remembered-page.ts',
    find: 'skip: from - passed * anchors.step',
    replace: 'skip: from - passed * anchors.step + 1',
    noticedBy: exactness('have the rows that stand there, at any size of the page and in both directions'),
  },
  {
    name: 'the row that is remembered stands on two pages',
    file: 'db/lists/order.ts',
    find: "direction === 'asc' ? '>' : '<'",
    replace: "direction === 'asc' ? '>=' : '<='",
    noticedBy: exactness('have the rows that stand there, at any size of the page and in both directions'),
  },
  {
    name: 'pages far behind are looked for in the wrong direction',
    file: 'db/lists/order.ts',
    find: "direction === 'asc' ? '>' : '<'",
    replace: "'>'",
    noticedBy: exactness('have the rows that stand there, at any size of the page and in both directions'),
  },
  {
    name: 'what is remembered holds for ever',
    file: 'db/lists/staleness.ts',
    find: 'CASE WHEN ${sql.join([kept, ...nothing], sql` AND `)} THEN',
    replace: 'CASE WHEN true OR ${sql.join([kept, ...nothing], sql` AND `)} THEN',
    noticedBy: exactness('has what another connection commits late, and not what it takes back'),
  },
  {
    name: 'what the log has lost has not happened',
    file: 'db/lists/staleness.ts',
    find: '[kept, ...nothing]',
    replace: 'nothing',
    noticedBy: exactness('is counted anew where the change log does not go back so far'),
  },
  {
    name: 'what was under way when it was counted is not missed',
    file: 'db/lists/staleness.ts',
    find: 'AND NOT pg_visible_in_snapshot(l.transaction, ${since})',
    replace: 'AND l.transaction >= pg_snapshot_xmax(${since})',
    noticedBy: exactness('has what another connection commits late, and not what it takes back'),
  },
  {
    name: 'updates do not count where the filter is by what they change',
    file: 'db/lists/staleness.ts',
    find: 'updates: updatesMatter || fields.some(({ fixed }) => fixed !== true)',
    replace: 'updates: updatesMatter',
    noticedBy: exactness('whatever is done, every list shows what a count and a sort of all rows would'),
  },
  {
    name: 'a list does not know whose names it filters by',
    file: 'db/lists/staleness.ts',
    find: '[...new Set([...kinds, ...others])]',
    replace: '[...kinds]',
    noticedBy: exactness('another entity that the filter looks at'),
  },
  {
    name: 'what others publish is not missed',
    file: 'db/lists/definitions.ts',
    find: "kinds: ['catalog'], withinOrganization: false",
    replace: "kinds: ['catalog'], withinOrganization: true",
    noticedBy: exactness('catalogs that others publish, and their items'),
  },
  {
    name: 'organisations have one total',
    file: 'db/lists/remembered-page.ts',
    find: 'JSON.stringify([text, parameters, order.direction, pageSize])',
    replace: 'JSON.stringify([text, order.direction, pageSize])',
    noticedBy: exactness('is that of its own organisation and its own filter, however alike the lists are'),
  },
];

const offers: readonly ApiDefect[] = [
  {
    name: 'pages of items leave one out',
    file: 'db/listed-items.ts',
    find: 'OFFSET ${(page - 1) * pageSize}',
    replace: 'OFFSET ${(page - 1) * (pageSize + 1)}',
    noticedBy: items('are the same in pages of any size'),
  },
  {
    name: 'what cannot be used is listed as what can',
    file: 'db/listed-items.ts',
    find: "CASE WHEN offered.available THEN 'AVAILABLE' ELSE 'UNAVAILABLE' END",
    replace: "'AVAILABLE'",
    noticedBy: items('are filtered and sorted by the same rules, wherever they come from'),
  },
];

export const listDefects: readonly ApiDefect[] = [...parsing, ...conditions, ...pages, ...offers];
