/** Brings the tables up to date before anything is written. */
import type { Logger } from 'pino';
import { Backoff } from '../../kube/backoff.ts';
import { sleep, systemClock } from '../../kube/clock.ts';
import type { Runnable } from '../../kube/manager/runnable.ts';
import type pg from 'pg';
import { codeOf } from '../../db/errors.ts';
import { newestMigration } from '../../db/migrations/newest.ts';

export function schemaRunnable(pool: pg.Pool, log: Logger): Runnable {
  return {
    name: 'database-schema',
    // On every replica, and before the election: nobody leads over tables that are not there. What watches clusters need not wait for it.
    needsLeadership: false,
    async warmUp(signal) {
      const backoff = new Backoff({ initialMs: 200, factor: 2, maxMs: 5000, jitter: 0.5 });
      while (!signal.aborted) {
        try {
          if (!(await isUpToDate(pool))) await bringUpToDate(pool, log);
          return;
        } catch (error) {
          // A schema that is too new will not get older by waiting.
          if (error instanceof Error && error.name === 'MigrationError' && error.cause === undefined) throw error;
          if (!signal.aborted) log.warn({ err: error }, 'the database cannot be used yet; trying again');
        }
        await sleep(systemClock, backoff.take(), signal);
      }
    },
    async run({ signal }) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
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

async function bringUpToDate(pool: pg.Pool, log: Logger): Promise<void> {
  const [{ migrate }, { typedSql }] = await Promise.all([
    import('../../db/migrate.ts'),
    import('../../db/database.ts'),
  ]);
  const { applied, to } = await migrate({ db: typedSql(pool) });
  if (applied.length > 0) log.info({ applied, version: to }, 'brought the database up to date');
}
