/**
 * Reads of one row by its id, which nearly every request makes: the statement is put together once, and only its values change. To build it takes longer
 * than to send it and to read the answer.
 */
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import type { Scope } from './scope.ts';

/** Stand for the values while the statement is built; nobody has such an id. */
const anyScope = '\0scope' as Scope;
const anyId = '\0id';

export type ReadOne<Id extends string, Row> = (db: Kysely<Tables>, scope: Scope, id: Id) => Promise<Row | undefined>;

/** `build` must use scope and id as values only, apart from the scope 'all', for which there is a statement of its own. */
export function readOne<Id extends string, Row>(
  build: (db: Kysely<Tables>, scope: Scope, id: Id) => Compilable<Row>,
): ReadOne<Id, Row> {
  let ofAll: CompiledQuery<Row> | undefined;
  let ofOne: CompiledQuery<Row> | undefined;
  return async (db, scope, id) => {
    const query =
      scope === 'all'
        ? (ofAll ??= build(db, 'all', anyId as Id).compile())
        : (ofOne ??= build(db, anyScope, anyId as Id).compile());
    const parameters = query.parameters.map((value) => (value === anyId ? id : value === anyScope ? scope : value));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows[0];
  };
}
