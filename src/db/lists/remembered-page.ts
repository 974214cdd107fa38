/** A page of a list of which the total and some positions are remembered, and checked by the statement that reads the page. */
import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { ListPage } from './contracts.ts';
import { counted, countedPage, pageQuery, surveyed, withNote, type Listing, type Noted, type Place } from './pages.ts';
import type { Position } from './order.ts';
import type { Given, Shape } from './shape.ts';
import { stillSo } from './staleness.ts';
import { Totals, type Remembered } from './totals.ts';

/** So many rows are skipped one by one; behind them a position is looked up. */
const shallow = 1000;
/** Between two positions that are remembered, about. */
const spacing = 200;
const maxPositions = 1000;
/** To sort so many rows takes longer than to sift a table of which they are a twentieth. */
const many = 5000;
/** Where the list changes faster than it can be looked through, it is counted in the statement that reads the page. */
const attempts = 3;
/** What clusters say may change it again and again: then to look through it twice would cost more than it ever saves. */
const attemptsIfObserved = 1;

interface Memory {
  readonly totals: Totals;
  /** Those that are being looked through: who asks at the same time waits for the same answer. */
  readonly looking: Map<string, Promise<Remembered>>;
}

/** Of each database that is open. */
const memories = new WeakMap<Kysely<Tables>, Memory>();

export async function rememberedPage<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  shape: Shape<DB, TB, Row>,
  page: number,
): Promise<ListPage<Row>> {
  const memory = memoryOf(db);
  const { key, pageSize } = shape;
  const from = (page - 1) * pageSize;
  const most = shape.watched.observed.length > 0 ? attemptsIfObserved : attempts;
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

/** By the statement itself, so that no two lists are ever taken for one. */
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

/** A multiple of the page's size: then few offsets occur, and so few statements. */
function stepOf(pageSize: number): number {
  return pageSize * Math.ceil(spacing / pageSize);
}

function thinned(remembered: Remembered): Remembered {
  const { anchors } = remembered;
  if (anchors === undefined || anchors.positions.length <= maxPositions) return remembered;
  const kept = Math.ceil(anchors.positions.length / maxPositions);
  const positions = anchors.positions.filter((_, at) => (at + 1) % kept === 0);
  return { ...remembered, anchors: { step: anchors.step * kept, positions } };
}

/** Stand for what differs each time while the statement is built. */
const anySnapshot = '\0snapshot';
const anyPosition = { key: '\0key', id: '\0id' };

function given(snapshot: string, after?: Position): Given {
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

/** Undefined where the list has changed since. */
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

function placeOf({ anchors, total }: Omit<Remembered, 'snapshot'>, from: number): Place & { readonly sift: boolean } {
  const sift = total >= many;
  if (anchors === undefined) return { sift, skip: from };
  const passed = Math.min(Math.floor(from / anchors.step), anchors.positions.length);
  const after = anchors.positions[passed - 1];
  return after === undefined ? { sift, skip: from } : { sift, after, skip: from - passed * anchors.step };
}
