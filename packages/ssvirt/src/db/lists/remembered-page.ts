/**
 * Reads a page of a list whose total and some positions are cached; the statement that reads the page also checks that
 * the cache is still valid.
 */
import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import type { ListPage } from './contracts.ts';
import {
  counted,
  countedPage,
  pageQuery,
  surveyed,
  withNote,
  type Listing,
  type Noted,
  type PageStart,
} from './pages.ts';
import type { SortPosition } from './order.ts';
import type { Given, Shape } from './shape.ts';
import { stillSo } from './staleness.ts';
import { Totals, type Remembered } from './totals.ts';

/** Up to this many rows are skipped one by one; beyond it the page starts from a cached position. */
const shallow = 1000;
/** The approximate number of rows between two cached positions. */
const spacing = 200;
const maxPositions = 1000;
/** To sort this many rows takes longer than to scan a table of which they are a twentieth. */
const many = 5000;
/** A list that changes faster than it can be scanned is counted in the statement that reads the page. */
const attempts = 3;
/** Observations may change such a list again and again: scanning it twice would cost more than the cache saves. */
const attemptsIfObserved = 1;

interface Memory {
  readonly totals: Totals;
  /** The running scans: concurrent requests wait for the same answer. */
  readonly looking: Map<string, Promise<Remembered>>;
}

/** One cache per open database. */
const memories = new WeakMap<Kysely<Tables>, Memory>();

export async function rememberedPage<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  shape: Shape<DB, TB, Row>,
  page: number,
): Promise<ListPage<Row>> {
  const memory = memoryOf(db);
  const { key, pageSize } = shape;
  const from = (page - 1) * pageSize;
  const { observed, noticed } = shape.watched;
  const most = observed.length + noticed.length > 0 ? attemptsIfObserved : attempts;
  for (let attempt = 0; attempt < most; attempt += 1) {
    const known = memory.totals.get(key);
    const remembered =
      known !== undefined && reaches(known, from) ? known : await look(db, memory, shape.listing(page), key);
    const found = await checkedPage(db, shape, page, remembered);
    if (found !== undefined) {
      memory.totals.set(key, { ...remembered, snapshot: found.snapshot });
      return { rows: found.rows, total: remembered.total };
    }
    memory.totals.forget(key, remembered);
  }
  return countedPage(shape.listing(page));
}

function memoryOf(db: Kysely<Tables>): Memory {
  const known = memories.get(db);
  if (known !== undefined) return known;
  const memory = { totals: new Totals(), looking: new Map<string, Promise<Remembered>>() };
  memories.set(db, memory);
  return memory;
}

/** Derived from the statement itself, so that two different lists never share a key. */
export function keyOf<DB, TB extends keyof DB, Row>({ chosen, order, pageSize }: Listing<DB, TB, Row>): string {
  const { sql: text, parameters } = chosen.clearSelect().select(order.field.value.as('key')).compile();
  return hash('sha256', JSON.stringify([text, parameters, order.direction, pageSize]), 'base64');
}

function reaches({ anchors, total }: Remembered, from: number): boolean {
  return anchors !== undefined || from < shallow || from >= total;
}

function look<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  { totals, looking }: Memory,
  listing: Listing<DB, TB, Row>,
  key: string,
): Promise<Remembered> {
  const far = listing.from >= shallow;
  const name = `${key} ${far}`;
  const under = looking.get(name);
  if (under !== undefined) return under;
  const answer = (far ? surveyed(db, listing, stepOf(listing.pageSize)).then(thinned) : counted(listing))
    .then((remembered) => {
      totals.set(key, remembered);
      return remembered;
    })
    .finally(() => looking.delete(name));
  looking.set(name, answer);
  return answer;
}

/** A multiple of the page size, so that few offsets occur and few statements are built. */
function stepOf(pageSize: number): number {
  return pageSize * Math.ceil(spacing / pageSize);
}

function thinned(remembered: Remembered): Remembered {
  const { anchors } = remembered;
  if (anchors === undefined || anchors.positions.length <= maxPositions) return remembered;
  const count = Math.ceil(anchors.positions.length / maxPositions);
  const positions = anchors.positions.filter((_, at) => (at + 1) % count === 0);
  return { ...remembered, anchors: { step: anchors.step * count, positions } };
}

/** Placeholders, while the statement is built, for the values that differ each time. */
const anySnapshot = '\0snapshot';
const anyPosition = { key: '\0key', id: '\0id' };

function given(snapshot: string, after?: SortPosition): Given {
  return new Map([
    [anySnapshot, snapshot],
    ...(after === undefined
      ? []
      : ([
          [anyPosition.key, after.key],
          [anyPosition.id, after.id],
        ] as const)),
  ]);
}

/** Undefined when the list has changed since the snapshot. */
async function checkedPage<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  { watched, statements, listing, pageSize }: Shape<DB, TB, Row>,
  page: number,
  { snapshot, ...remembered }: Remembered,
): Promise<{ rows: readonly Row[]; snapshot: string } | undefined> {
  const from = (page - 1) * pageSize;
  const check = () => stillSo(watched, anySnapshot);
  if (from >= remembered.total) {
    const build = () => ({ compile: () => sql`SELECT ${check()} AS note`.compile(db) });
    const found = await statements.execute<{ note: string | null }>(db, 'behind', build, given(snapshot));
    const note = found[0]?.note ?? undefined;
    return note === undefined ? undefined : { rows: [], snapshot: note };
  }
  const { after, sift, skip } = placeOf(remembered, from);
  const place = { sift, skip, ...(after === undefined ? {} : { after: anyPosition }) };
  const found = await statements.execute<Noted<Row, string | null>>(
    db,
    `${sift} ${skip} ${after !== undefined}`,
    () => pageQuery(listing(page), check(), place),
    given(snapshot, after),
  );
  const { rows, note } = withNote(found);
  return note === undefined || note === null ? undefined : { rows, snapshot: note };
}

function placeOf(
  { anchors, total }: Omit<Remembered, 'snapshot'>,
  from: number,
): PageStart & { readonly sift: boolean } {
  const sift = total >= many;
  if (anchors === undefined) return { sift, skip: from };
  const passed = Math.min(Math.floor(from / anchors.step), anchors.positions.length);
  const after = anchors.positions[passed - 1];
  return after === undefined ? { sift, skip: from } : { sift, after, skip: from - passed * anchors.step };
}
