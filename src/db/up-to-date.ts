/** What every process does before it works on the tables: wait until there is a database, and bring its schema up to date. */
import type { Logger } from 'pino';
import type pg from 'pg';
import type { Connections } from './connections.ts';
import { codeOf, isRetryable } from './errors.ts';
import { newestMigration } from './migrations/newest.ts';
import { beginNewLife } from './new-life.ts';

export interface UpToDateOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Between two tries. */
  readonly pause: () => Promise<void>;
  /** What else has to be in the tables; tried again with the rest while the database is away. */
  readonly prepare?: () => Promise<void>;
}

/** Resolves when the schema is up to date, or the signal came. Rejects only where waiting does not help: the schema is too new, or what is prepared is refused. */
export async function untilUpToDate(
  { pool, patient }: Pick<Connections, 'pool' | 'patient'>,
  { log, signal, pause, prepare = async () => undefined }: UpToDateOptions,
): Promise<void> {
  while (!signal.aborted) {
    let isCurrent = false;
    try {
      if (!(await isUpToDate(pool))) await bringUpToDate(patient(), log);
      isCurrent = true;
      await beginNewLife(pool, log);
      await prepare();
      return;
    } catch (error) {
      // A schema that is too new will not get older by waiting.
      if (error instanceof Error && error.name === 'MigrationError' && error.cause === undefined) throw error;
      if (isCurrent && !isRetryable(error)) throw error;
      if (!signal.aborted) log.warn({ err: error }, 'database not usable yet, retrying');
    }
    await pause();
  }
}

/** As at every start but the first after an upgrade: then nothing of what migrates has to be loaded. */
async function isUpToDate(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ newest: string | null }>('SELECT max(name) AS newest FROM kysely_migration');
    return rows[0]?.newest === newestMigration;
  } catch (error) {
    // There is no such table yet.
    if (error instanceof Error && codeOf(error) === '42P01') return false;
    throw error;
  }
}

/** Without a limit for statements: one on a large database would be ended and begun again for ever. */
async function bringUpToDate(pool: pg.Pool, log: Logger): Promise<void> {
  try {
    const [{ migrate }, { typedSql }] = await Promise.all([import('./migrate.ts'), import('./database.ts')]);
    const { applied, to } = await migrate({ db: typedSql(pool) });
    if (applied.length > 0) log.info({ applied, version: to }, 'database migrated');
  } finally {
    await pool.end();
  }
}
