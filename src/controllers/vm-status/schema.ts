/** Brings the tables up to date before anything is written. */
import type { Logger } from 'pino';
import { Backoff } from '../../kube/backoff.ts';
import { sleep, systemClock } from '../../kube/clock.ts';
import type { Runnable } from '../../kube/manager/runnable.ts';
import type { Database } from '../../db/database.ts';
import { migrate, MigrationError } from '../../db/migrate.ts';

export function schemaRunnable(database: Database, log: Logger): Runnable {
  return {
    name: 'database-schema',
    kind: 'cache',
    async warmUp(signal) {
      const backoff = new Backoff({ initialMs: 200, factor: 2, maxMs: 5000, jitter: 0.5 });
      while (!signal.aborted) {
        try {
          const { applied, to } = await migrate(database);
          if (applied.length > 0) log.info({ applied, version: to }, 'brought the database up to date');
          return;
        } catch (error) {
          // A schema that is too new will not get older by waiting.
          if (error instanceof MigrationError && error.cause === undefined) throw error;
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
