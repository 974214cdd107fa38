/**
 * Repeated statements are prepared once per connection, because planning takes PostgreSQL longer than finding 25 rows.
 * Kysely sends statements without a name; this wrapper names them once they are frequent enough.
 *
 * PostgreSQL plans a prepared statement for its values five times, and then switches to one generic plan if its
 * estimated cost is not higher.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isOutdated } from './errors.ts';

/** Each name takes some memory in each connection. Statements beyond the limit are sent without a name. */
const maxNames = 300;
const maxCandidates = 3000;
const usesBeforeName = 3;
/** Lists of values of varying length make texts that rarely repeat. */
const maxLength = 8_192;

export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #given = 0;

  /** Undefined when the text has no name (yet). */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#given >= maxNames || text.length > maxLength) return known;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses >= usesBeforeName) return this.#give(text);
    if (this.#uses.size >= maxCandidates) this.#uses.clear();
    this.#uses.set(text, uses);
    return undefined;
  }

  /** Assigns a new name, because the statement prepared under the old one is outdated. */
  rename(text: string): void {
    if (this.#names.has(text)) this.#give(text);
  }

  #give(text: string): string {
    this.#uses.delete(text);
    this.#given += 1;
    const name = `ssvirt_${this.#given}`;
    this.#names.set(text, name);
    return name;
  }
}

/** `preparing` returns the pool in the form that Kysely takes. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      // Kysely expects the same object for the same connection.
      const known = clients.get(client) ?? new PreparingClient(client, names);
      clients.set(client, known);
      return known;
    },
  };
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  #inTransaction = false;

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    what: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof what !== 'string') throw new TypeError('cannot open a cursor: nothing here reads rows one by one');
    return this.#prepared(what, values);
  }

  async #prepared<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (values.length === 0) this.#note(text);
    const name = this.#names.nameOf(text);
    if (name === undefined) return this.#send(text, values);
    try {
      return await this.#send<R>(text, values, name);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.rename(text);
      // The error has aborted the transaction; its owner may retry it.
      if (this.#inTransaction) throw error;
      return this.#send(text, values);
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }

  async #send<R>(text: string, values: readonly unknown[], name?: string): Promise<PostgresQueryResult<R>> {
    const result = await this.#client.query({ text, values: [...values], ...defined({ name }) });
    return result as unknown as PostgresQueryResult<R>;
  }

  #note(text: string): void {
    if (/^(?:begin|start transaction)/.test(text)) this.#inTransaction = true;
    else if (/^(?:commit|rollback)$/.test(text)) this.#inTransaction = false;
  }
}
