/** What every process does before it works on the tables: wait for a database, and bring its schema up to date. */
import type { Logger } from 'pino';
import type pg from 'pg';
import type { Connections } from '../connection/connections.ts';
import { codeOf, isRetryable, tlsAdvice } from '../connection/errors.ts';
import { newestMigration } from '../migrations/newest.ts';
import { resetChangeLog } from '../change-log/change-log-reset.ts';

export interface UpToDateOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Waits between two attempts. */
  readonly pause: () => Promise<void>;
  /** Writes what else must be in the tables. It is retried with the rest while the database is unavailable. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Resolves when the schema is up to date or the signal is aborted. Rejects only when waiting does not help: the schema
 * is too new, the server is not trusted, or `prepare` is refused.
 */
export async function untilUpToDate(
  { pool, patient }: Pick<Connections, 'pool' | 'patient'>,
  { log, signal, pause, prepare = async () => undefined }: UpToDateOptions,
): Promise<void> {
  while (!signal.aborted) {
    let isCurrent = false;
    try {
      if (!(await isUpToDate(pool))) await bringUpToDate(patient(), log);
      isCurrent = true;
      await resetChangeLog(pool, log);
      await prepare();
      return;
    } catch (error) {
      // Waiting does not help when the schema is too new.
      if (error instanceof Error && error.name === 'MigrationError' && error.cause === undefined) throw error;
      const advice = tlsAdvice(error);
      if (advice !== undefined) throw new Error(`cannot use the database: ${advice}`, { cause: error });
      if (isCurrent && !isRetryable(error)) throw error;
      if (!signal.aborted) log.warn({ err: error }, 'database not usable yet, retrying');
    }
    await pause();
  }
}

/** The case of every start except the first one after an upgrade: the migrations need not be loaded. */
async function isUpToDate(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ newest: string | null }>('SELECT max(name) AS newest FROM kysely_migration');
    return rows[0]?.newest === newestMigration;
  } catch (error) {
    // The table does not exist yet.
    if (error instanceof Error && codeOf(error) === '42P01') return false;
    throw error;
  }
}

/** Without a statement timeout: on a large database a migration would otherwise be canceled and restarted forever. */
async function bringUpToDate(pool: pg.Pool, log: Logger): Promise<void> {
  try {
    const [{ migrate }, { typedSql }] = await Promise.all([
      import('./migrate.ts'),
      import('../connection/database.ts'),
    ]);
    const { applied, to } = await migrate({ db: typedSql(pool) });
    if (applied.length > 0) log.info({ applied, version: to }, 'database migrated');
  } finally {
    await pool.end();
  }
}
