/**
 * Only the leader writes, and nothing that it has given up. A statement carries its leader's epoch and the round of the connection, takes the row in
 * `leaders` FOR SHARE with both, and writes nothing where they are not those of the row:
 *
 * - a new leader raises the epoch, which waits for the statements under way and bars all that come later;
 * - where the outcome of a statement is unknown (a connection that broke, a wait that was given up), the round is raised in the same way before
 *   anything else is written. A statement that was slow to arrive is of an older round then, whatever it would have written.
 */
import type { Pool, QueryArrayConfig } from 'pg';
import { Fenced, type WriterTerm } from './contracts.ts';
import { OutcomeUnknown, runArrays } from './connection.ts';

/** The first parameters of each fenced statement: $1, $2, $3. */
export const termTable = `term AS MATERIALIZED (
  SELECT 1 FROM leaders WHERE name = $1 AND epoch = $2 AND round = $3 FOR SHARE
)`;

export interface FencedStatement {
  readonly name: string;
  /** Begins with `WITH ${termTable}`; its answer has a row wherever the term is held. */
  readonly text: string;
}

const fences = new WeakMap<Pool, Fence>();

/** All that write over one pool share what is known of the round. */
export function fenceOf(pool: Pool): Fence {
  let fence = fences.get(pool);
  if (fence === undefined) fences.set(pool, (fence = new Fence(pool)));
  return fence;
}

/** A parallel statement may raise the round in between; twice in a row is a storm that the caller's backoff is for. */
const attempts = 3;

export class Fence {
  readonly #pool: Pool;
  #term: WriterTerm = { name: '', epoch: 0 };
  #round = 0;
  #unsettled = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Values come after those of the term. Throws `Fenced`, `OutcomeUnknown`, or what PostgreSQL says. */
  async run<Row extends unknown[]>(
    term: WriterTerm,
    statement: FencedStatement,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    this.#begin(term);
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (this.#unsettled) await this.#raiseRound(term, signal);
      const rows = await this.#send<Row>(
        {
          ...statement,
          rowMode: 'array',
          values: [term.name, term.epoch, this.#round, ...values],
        },
        signal,
      );
      if (rows.length > 0) return rows;
      this.#round = await this.#roundOf(term, signal);
    }
    throw new Error(`cannot write as ${term.name}: the round was raised ${attempts} times meanwhile; send it again`);
  }

  #begin(term: WriterTerm): void {
    if (term.name === this.#term.name && term.epoch === this.#term.epoch) return;
    this.#term = term;
    this.#round = 0;
    // Statements of the epoch before are barred by the new one.
    this.#unsettled = false;
  }

  async #send<Row extends unknown[]>(query: QueryArrayConfig, signal?: AbortSignal): Promise<readonly Row[]> {
    try {
      return (await runArrays<Row>(this.#pool, query, signal)).rows;
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.#unsettled = true;
      throw error;
    }
  }

  async #raiseRound(term: WriterTerm, signal?: AbortSignal): Promise<void> {
    const query: QueryArrayConfig = {
      name: 'ssvirt_raise_round',
      text: 'UPDATE leaders SET round = round + 1 WHERE name = $1 AND epoch = $2 RETURNING round',
      rowMode: 'array',
      values: [term.name, term.epoch],
    };
    const rows = await this.#send<[string | number]>(query, signal).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) throw error;
      // Without the SQLSTATE: it is no row of the batch that could not be locked.
      throw new Error(
        `cannot write as ${term.name}: a statement whose outcome is unknown is still under way; try again`,
        {
          cause: error,
        },
      );
    });
    this.#round = this.#known(term, rows);
    this.#unsettled = false;
  }

  async #roundOf(term: WriterTerm, signal?: AbortSignal): Promise<number> {
    const query = {
      name: 'ssvirt_round',
      text: 'SELECT round FROM leaders WHERE name = $1 AND epoch = $2',
      rowMode: 'array' as const,
      values: [term.name, term.epoch],
    };
    return this.#known(term, (await runArrays<[string | number]>(this.#pool, query, signal)).rows);
  }

  #known(term: WriterTerm, rows: readonly (readonly [string | number])[]): number {
    const [row] = rows;
    if (row === undefined)
      throw new Fenced(`cannot write as ${term.name} of epoch ${term.epoch}: another has become the leader since`);
    return Number(row[0]);
  }
}
