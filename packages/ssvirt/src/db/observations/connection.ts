/** Runs one statement on a connection of the pool. It can be aborted, and the connection is then destroyed. */
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
 * The settings of a writer's connections, made once for each. The writer should have its own pool.
 *
 * - The statements look up few rows in large tables, always by index. Their plans are kept, and a plan made while a
 *   table had three rows would scan it for each of a thousand VMs until the next ANALYZE.
 * - A statement never waits long for a lock, because it is sent again anyway.
 */
const settings = `
  SET statement_timeout = '10s';
  SET lock_timeout = '2s';
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off; SET jit = off`;

const ready = new WeakSet<PoolClient>();

/** PostgreSQL may have run the statement or may still run it; its answer is unknown. */
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

/** Throws PostgreSQL's error, or `OutcomeUnknown` when there was no answer. */
async function onConnection<T>(pool: Pool, send: (client: PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  if (signal?.aborted === true) {
    client.release();
    signal.throwIfAborted();
  }
  const sent = sendOnce(client, send);
  // A destroyed connection is never reused, so a late answer on it cannot be taken for the answer to the next
  // statement.
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
  // A connection that breaks while it is in use also emits an error event, and an unhandled one ends the process.
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

/**
 * An error with a SQLSTATE means that the statement was rolled back. The codes of a server that shuts down (57P..) or
 * of a connection that breaks (08...) prove nothing about it.
 */
function wasAnswered(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

function reason(error: unknown, signal?: AbortSignal): string {
  if (signal?.aborted === true) return 'it was given up';
  return error instanceof Error ? error.message : String(error);
}
