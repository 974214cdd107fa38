/**
 * The change log reset. Positions in the log are PostgreSQL's own transaction ids, and a dump carries them into a
 * server that counts its own. There the rows may lie ahead of everything that happens from now on, and readers would
 * report missed changes forever. Such a log is cleared and starts again. A reader that returns with an old position is
 * asked to read everything again, which is correct after a restore.
 */
import type { Logger } from 'pino';
import type pg from 'pg';

/** During the life of one server, no visible transaction is at or above the snapshot's xmax. */
const isOther = `
  SELECT 1 FROM pg_current_snapshot() s
  WHERE (SELECT transaction FROM change_log_purged) >= pg_snapshot_xmax(s)
    OR (SELECT transaction FROM change_log ORDER BY transaction DESC LIMIT 1) >= pg_snapshot_xmax(s)`;

export async function resetChangeLog(pool: pg.Pool, log: Logger): Promise<void> {
  if (!(await finds(pool, isOther))) return;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Replicas start together: the later ones find the reset done.
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
    // Destroying the connection also ends the transaction.
    client.release(true);
    throw error;
  }
}

async function finds(at: Pick<pg.Pool, 'query'> | pg.PoolClient, statement: string): Promise<boolean> {
  const { rowCount } = await at.query(statement);
  return rowCount === 1;
}
