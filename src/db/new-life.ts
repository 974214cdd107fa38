/**
 * Places in the change log are PostgreSQL's own transactions, which a dump carries into a server that counts its own: there, what was written or removed before
 * may lie ahead of all that happens from now on, and whoever follows the log would be told without an end that changes were missed. Such a log begins anew.
 * Whoever comes back with a place in the old one is told to read anew, which after a restore is the truth.
 */
import type { Logger } from 'pino';
import type pg from 'pg';

/** In the life of one server, no transaction that can be seen is at or above the end of the snapshot. */
const isOther = `
  SELECT 1 FROM pg_current_snapshot() s
  WHERE (SELECT transaction FROM change_log_purged) >= pg_snapshot_xmax(s)
    OR (SELECT transaction FROM change_log ORDER BY transaction DESC LIMIT 1) >= pg_snapshot_xmax(s)`;

export async function beginNewLife(pool: pg.Pool, log: Logger): Promise<void> {
  if (!(await finds(pool, isOther))) return;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Replicas start together: the later ones find it done.
    await client.query('SELECT 1 FROM change_log_purged FOR UPDATE');
    const isLeft = await finds(client, isOther);
    if (isLeft) {
      await client.query('DELETE FROM change_log');
      await client.query('UPDATE change_log_purged SET transaction = pg_current_xact_id(), sequence = 0');
    }
    await client.query('COMMIT');
    client.release();
    if (isLeft) log.warn('database was restored from a dump, change log restarted and event streams reset');
  } catch (error) {
    // Ends the transaction, too.
    client.release(true);
    throw error;
  }
}

async function finds(at: Pick<pg.Pool, 'query'> | pg.PoolClient, statement: string): Promise<boolean> {
  const { rowCount } = await at.query(statement);
  return rowCount === 1;
}
