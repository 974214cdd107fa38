/**
 * Reads one row by its id, which nearly every request does. The statement is built once and only its values change,
 * because building it takes longer than sending it and reading the answer. Concurrent reads become one statement, and
 * each row is read in the scope of its caller.
 *
 * A repository defines such reads as constants: `export const getVm = readOne((db, scope, id: VmId) => shownVms(db,
 * scope).where('vms.id', '=', id))`.
 */
import { sql, type Compilable, type CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import type { Scope } from '../schema/scope.ts';
import { batchedReads } from './batched-reads.ts';

/** Placeholders for the values while the statement is built. No real id equals them. */
const anyScope = '\0scope' as Scope;
const anyId = '\0id';

export type ReadOne<Id extends string, Row> = (db: Kysely<Tables>, scope: Scope, id: Id) => Promise<Row | undefined>;

type Build<Id extends string, Row> = (db: Kysely<Tables>, scope: Scope, id: Id) => Compilable<Row>;

/**
 * `build` must use `scope` and `id`, a uuid, only as values. The scope 'all' is an exception: it has statements of its
 * own.
 */
export function readOne<Id extends string, Row extends object>(build: Build<Id, Row>): ReadOne<Id, Row> {
  const inAll = statements(build, 'all');
  const inOne = statements(build, anyScope);
  return (db, scope, id) => (scope === 'all' ? inAll : inOne)(db, scope, id);
}

function statements<Id extends string, Row extends object>(build: Build<Id, Row>, built: Scope): ReadOne<Id, Row> {
  let alone: CompiledQuery<Row> | undefined;
  let forAll: CompiledQuery<Row & Asked> | undefined;
  const readers = new WeakMap<Kysely<Tables>, (key: string) => Promise<Row | undefined>>();

  const readAlone: ReadOne<Id, Row> = async (db, scope, id) => {
    alone ??= build(db, built, anyId as Id).compile();
    const parameters = alone.parameters.map((value) => (value === anyId ? id : value === anyScope ? scope : value));
    const { rows } = await db.executeQuery<Row>({ ...alone, parameters });
    return rows[0];
  };

  const readAll = async (db: Kysely<Tables>, keys: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
    const [first] = keys;
    if (keys.length === 1 && first !== undefined) {
      const row = await readAlone(db, scopeIn(first), idIn(first) as Id);
      return new Map(row === undefined ? [] : [[first, row]]);
    }
    forAll ??= forEach(db, build, built);
    const given = new Map<unknown, readonly string[]>([
      [allIds, keys.map(idIn)],
      [allScopes, keys.map(scopeIn)],
    ]);
    const parameters = forAll.parameters.map((value) => given.get(value) ?? value);
    const { rows } = await db.executeQuery<Row & Asked>({ ...forAll, parameters });
    return new Map(rows.map(({ asked_for, ...row }) => [keys[asked_for - 1] ?? '', row as unknown as Row]));
  };

  return (db, scope, id) => {
    // A transaction must see its own writes. An id that is not a uuid would fail the batched read for all callers.
    if (db.isTransaction || !uuid.test(id) || (scope !== 'all' && !uuid.test(scope))) return readAlone(db, scope, id);
    const known = readers.get(db) ?? batchedReads((keys) => readAll(db, keys));
    readers.set(db, known);
    return known(id + scope);
  };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const idLength = 36;

const idIn = (key: string): string => key.slice(0, idLength);
const scopeIn = (key: string): Scope => key.slice(idLength) as Scope;

interface Asked {
  /** Starts at 1. */
  readonly asked_for: number;
}

const allIds = '\0ids';
const allScopes = '\0scopes';

/**
 * LIMIT makes PostgreSQL look up each id by its index. In a plain join, a plan that was made for a small table would
 * scan a large one.
 *
 * The inner SELECTs hide from the planner how many ids there are. If it knew, a plan for these few ids would look
 * cheaper than the generic plan, which assumes ten: PostgreSQL would then plan the statement each time, which takes
 * several times as long as finding the rows.
 */
function forEach<Row>(db: Kysely<Tables>, build: Build<never, Row>, built: Scope): CompiledQuery<Row & Asked> {
  // Both replace values, and Kysely accepts expressions there.
  const id = sql.ref('given.id') as unknown as never;
  const scope = built === 'all' ? built : (sql.ref('given.scope') as unknown as Scope);
  const one = build(db, scope, id) as unknown as ReturnType<typeof sql>;
  const ids = sql`(SELECT ${allIds}::uuid[])`;
  const given = built === 'all' ? sql`unnest(${ids})` : sql`unnest(${ids}, (SELECT ${allScopes}::uuid[]))`;
  const columns = sql.raw(built === 'all' ? 'id, at' : 'id, scope, at');
  return sql<Row & Asked>`
    SELECT found.*, given.at AS asked_for FROM ${given} WITH ORDINALITY AS given (${columns})
    JOIN LATERAL (${one} LIMIT 1) found ON true
  `.compile(db);
}
