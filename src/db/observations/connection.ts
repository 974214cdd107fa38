/** One statement on a connection of the pool, which can be given up: then the connection goes with it. */
import type {
  Pool,
  PoolClient,
  QueryArrayConfig,
  QueryArrayResult,
  QueryConfig,
  QueryResult,
  QueryResultRow,
} from 'pg';

/**
 * What a writer's connections are set to, once each; the pool should be the writer's own.
 *
 * - The statements look up few rows in large tables, always by index. Their plans are kept, and one that was made while a table had three rows would scan it
 *   for each of a thousand machines until the next ANALYZE.
 * - A statement never waits long for a lock: it is sent again anyway.
 */
const settings = `
  SET statement_timeout = '10s';
  SET lock_timeout = '2s';
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET jit = off`;

const ready = new WeakSet<PoolClient>();

/** PostgreSQL may have done it, or may still do it: nobody has heard. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

export function runRows<Row extends QueryResultRow>(
  pool: Pool,
  query: QueryConfig,
  signal?: AbortSignal,
): Promise<QueryResult<Row>> {
  return onConnection(pool, (client) => client.query<Row>(query), signal);
}

export function runArrays<Row extends unknown[]>(
  pool: Pool,
  query: QueryArrayConfig,
  signal?: AbortSignal,
): Promise<QueryArrayResult<Row>> {
  return onConnection(pool, (client) => client.query<Row>(query), signal);
}

/** Throws what PostgreSQL says, or `OutcomeUnknown` where it said nothing. */
async function onConnection<T>(pool: Pool, send: (client: PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  if (signal?.aborted === true) {
    client.release();
    signal.throwIfAborted();
  }
  const sent = sendOnce(client, send);
  // A connection that is destroyed is never lent again, so what still runs on it cannot be taken for an answer to the next statement.
  let destroyed = false;
  const destroy = (): void => {
    if (destroyed) return;
    destroyed = true;
    client.release(true);
  };
  signal?.addEventListener('abort', destroy, { once: true });
  try {
    return await sent;
  } catch (error) {
    if (wasAnswered(error)) throw error;
    destroy();
    throw new OutcomeUnknown(`cannot tell whether PostgreSQL has run a statement: ${reason(error, signal)}`, {
      cause: error,
    });
  } finally {
    signal?.removeEventListener('abort', destroy);
    if (!destroyed) client.release();
  }
}

async function sendOnce<T>(client: PoolClient, send: (client: PoolClient) => Promise<T>): Promise<T> {
  // A connection that breaks while it is lent says so by an event as well, and an event that nobody hears ends the process.
  const heard = (): void => undefined;
  client.on('error', heard);
  try {
    if (!ready.has(client)) {
      await client.query(settings);
      ready.add(client);
    }
    return await send(client);
  } finally {
    client.off('error', heard);
  }
}

/** An error with a SQLSTATE undid the statement; but the server that goes down (57P..), or a connection that does (08...), says nothing about it. */
function wasAnswered(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

function reason(error: unknown, signal?: AbortSignal): string {
  if (signal?.aborted === true) return 'it was given up';
  return error instanceof Error ? error.message : String(error);
}
