/** A page of a list of which the total and some positions are remembered, and checked by the statement that reads the page. */
import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { ListPage } from './contracts.ts';
import { counted, countedPage, rowsWith, surveyed, type Listing, type Place } from './pages.ts';
import { stillSo, type Watched } from './staleness.ts';
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

interface Memory {
  readonly totals: Totals;
  /** Those that are being looked through: who asks at the same time waits for the same answer. */
  readonly looking: Map<string, Promise<Remembered>>;
}

/** Of each database that is open. */
const memories = new WeakMap<Kysely<Tables>, Memory>();

export async function rememberedPage<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  listing: Listing<DB, TB, Row>,
  watched: Watched,
): Promise<ListPage<Row>> {
  const memory = memoryOf(db);
  const key = keyOf(listing);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const known = memory.totals.get(key);
    const remembered = known !== undefined && reaches(known, listing) ? known : await look(db, memory, listing, key);
    const page = await checkedPage(db, listing, watched, remembered);
    if (page !== undefined) {
      memory.totals.set(key, { ...remembered, snapshot: page.snapshot });
      return { rows: page.rows, total: remembered.total };
    }
    memory.totals.forget(key, remembered);
  }
  return countedPage(listing);
}

function memoryOf(db: Kysely<Tables>): Memory {
  const known = memories.get(db);
  if (known !== undefined) return known;
  const memory = { totals: new Totals(), looking: new Map<string, Promise<Remembered>>() };
  memories.set(db, memory);
  return memory;
}

/** By the statement itself, so that no two lists are ever taken for one. */
function keyOf<DB, TB extends keyof DB, Row>({ chosen, order, pageSize }: Listing<DB, TB, Row>): string {
  const { sql: text, parameters } = chosen.clearSelect().select(order.field.value.as('key')).compile();
  return hash('sha256', JSON.stringify([text, parameters, order.direction, pageSize]), 'base64');
}

function reaches<DB, TB extends keyof DB, Row>(
  { anchors, total }: Remembered,
  { from }: Listing<DB, TB, Row>,
): boolean {
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

/** Undefined where the list has changed since. */
async function checkedPage<DB, TB extends keyof DB, Row>(
  db: Kysely<Tables>,
  listing: Listing<DB, TB, Row>,
  watched: Watched,
  remembered: Remembered,
): Promise<{ rows: readonly Row[]; snapshot: string } | undefined> {
  const check = stillSo(watched, remembered.snapshot);
  if (listing.from >= remembered.total) {
    const { rows } = await sql<{ note: string | null }>`SELECT ${check} AS note`.execute(db);
    const note = rows[0]?.note ?? undefined;
    return note === undefined ? undefined : { rows: [], snapshot: note };
  }
  const { rows, note } = await rowsWith(listing, check, placeOf(remembered, listing.from));
  return note === undefined || note === null ? undefined : { rows, snapshot: note };
}

function placeOf({ anchors, total }: Remembered, from: number): Place {
  const sift = total >= many;
  if (anchors === undefined) return { sift, skip: from };
  const passed = Math.min(Math.floor(from / anchors.step), anchors.positions.length);
  const after = anchors.positions[passed - 1];
  return after === undefined ? { sift, skip: from } : { sift, after, skip: from - passed * anchors.step };
}
