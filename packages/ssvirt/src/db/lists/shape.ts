/**
 * What is built once for a list and reused for all its pages, because building the statements takes longer than sending
 * one and reading the answer. Only texts and values are kept.
 */
import { CompiledQuery, type Compilable, type Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import type { Listing } from './pages.ts';
import type { InvalidatingChanges } from './staleness.ts';

export interface Shape<DB, TB extends keyof DB, Row> {
  /** The key of the list's cached total. */
  readonly key: string;
  readonly watched: InvalidatingChanges;
  readonly pageSize: number;
  /** Builds a new query each time. */
  readonly listing: (page: number) => Listing<DB, TB, Row>;
  readonly statements: Statements;
}

/**
 * Values that differ each time, by their placeholders in the statement. No PostgreSQL value can equal a placeholder.
 */
export type Given = ReadonlyMap<unknown, unknown>;

export class Statements {
  readonly #compiled = new Map<string, { readonly sql: string; readonly parameters: readonly unknown[] }>();

  /** `name` must cover everything that the text depends on. */
  async execute<Row>(db: Kysely<Tables>, name: string, build: () => Compilable, given: Given): Promise<readonly Row[]> {
    let statement = this.#compiled.get(name);
    if (statement === undefined) {
      const { sql, parameters } = build().compile();
      statement = { sql, parameters };
      // A list has few statements, because pages start at few distances from a cached position.
      if (this.#compiled.size < mostStatements) this.#compiled.set(name, statement);
    }
    const values = statement.parameters.map((value) => given.get(value) ?? value);
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement.sql, values));
    return rows;
  }
}

const mostStatements = 16;
const mostShapes = 200;

/** `Shapes` is a cache that evicts the least recently used entries. */
export class Shapes<S> {
  readonly #shapes = new Map<string, S>();

  of(key: string, make: () => S): S {
    const shape = this.#shapes.get(key) ?? make();
    this.#shapes.delete(key);
    this.#shapes.set(key, shape);
    const [oldest] = this.#shapes.size > mostShapes ? this.#shapes.keys() : [];
    if (oldest !== undefined) this.#shapes.delete(oldest);
    return shape;
  }
}
