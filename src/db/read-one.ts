/**
 * Reads of one row by its id, which nearly every request makes. The statement is put together once, and only its values change: to build it takes longer
 * than to send it and to read the answer. What is asked for at the same time is read by one statement, each row in the scope of who asks for it.
 *
 * A repository takes part by having such reads: `export const getVm = readOne((db, scope, id: VmId) => shownVms(db, scope).where('vms.id', '=', id))`.
 */
import { sql, type Compilable, type CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import type { Scope } from './scope.ts';
import { together } from './together.ts';

/** Stand for the values while the statement is built; nobody has such an id. */
const anyScope = '\0scope' as Scope;
const anyId = '\0id';

export type ReadOne<Id extends string, Row> = (db: Kysely<Tables>, scope: Scope, id: Id) => Promise<Row | undefined>;

type Build<Id extends string, Row> = (db: Kysely<Tables>, scope: Scope, id: Id) => Compilable<Row>;

/** `build` must use scope and id, which is a uuid, as values only, apart from the scope 'all', for which there are statements of their own. */
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
    // A transaction sees what it has written itself. What is no uuid would be an error for all who ask with it.
    if (db.isTransaction || !uuid.test(id) || (scope !== 'all' && !uuid.test(scope))) return readAlone(db, scope, id);
    const known = readers.get(db) ?? together((keys) => readAll(db, keys));
    readers.set(db, known);
    return known(id + scope);
  };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const idLength = 36;

const idIn = (key: string): string => key.slice(0, idLength);
const scopeIn = (key: string): Scope => key.slice(idLength) as Scope;

interface Asked {
  /** Counted from 1. */
  readonly asked_for: number;
}

const allIds = '\0ids';
const allScopes = '\0scopes';

/**
 * LIMIT has each looked up for itself, by its index: joined with all at once, a plan that was made for a small table would read through a large one.
 *
 * The inner SELECTs keep from the planner how many ids there are. Where it knows, a plan for these few looks cheaper than the one plan for all values, which is
 * taken to be for ten: PostgreSQL would plan the statement each time, which takes several times as long as finding the rows.
 */
function forEach<Row>(db: Kysely<Tables>, build: Build<never, Row>, built: Scope): CompiledQuery<Row & Asked> {
  // Both stand where values do, and Kysely takes expressions there.
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
