/**
 * The write fence: only the leader writes, and no statement that it has given up takes effect later. A statement
 * carries its leader's epoch and the connection's round, locks the row in `leaders` FOR SHARE with both, and writes
 * nothing when the row has others:
 *
 * - A new leader raises the epoch. This waits for running statements and bars all that arrive later.
 * - When the outcome of a statement is unknown (a broken connection, an aborted wait), the round is raised in the same
 *   way before anything else is written. A statement that arrives late then belongs to an older round, whatever it
 *   would have written.
 */
import type { Pool, QueryArrayConfig } from 'pg';
import { Fenced, type WriterTerm } from './contracts.ts';
import { OutcomeUnknown, runArrays } from './connection.ts';

/** `termTable` are the first parameters of each fenced statement: $1 the leader's name, $2 the epoch, $3 the round. */
export const termTable = `term AS MATERIALIZED (
  SELECT 1 FROM leaders WHERE name = $1 AND epoch = $2 AND round = $3 FOR SHARE
)`;

export interface FencedStatement {
  readonly name: string;
  /** Begins with `WITH ${termTable}`. Its result has at least one row whenever the term is held. */
  readonly text: string;
}

const fences = new WeakMap<Pool, Fence>();

/** All writers of one pool share the known round. */
export function fenceOf(pool: Pool): Fence {
  let fence = fences.get(pool);
  if (fence === undefined) fences.set(pool, (fence = new Fence(pool)));
  return fence;
}

/** A concurrent statement may raise the round in between. If that keeps happening, the caller's backoff must help. */
const attempts = 3;

export class Fence {
  readonly #pool: Pool;
  #term: WriterTerm = { name: '', epoch: 0 };
  #round = 0;
  #unsettled = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** `values` come after the parameters of the term. Throws `Fenced`, `OutcomeUnknown` or PostgreSQL's error. */
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
    // The new epoch bars the statements of the previous one.
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
      // A new error without the SQLSTATE, which would mean that a row of the batch could not be locked.
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
