/** Periodically deletes rows that are older than their retention time. Runs on the leader. */
import type { Logger } from 'pino';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type pg from 'pg';
import type { RetentionAges } from '../../../db/retention/retention.ts';

const everyMs = 600_000;

export function retentionRunnable(pool: pg.Pool, ages: RetentionAges, log: Logger): Runnable {
  return {
    name: 'retention',
    async run({ signal }) {
      while (!signal.aborted) {
        await sleep(systemClock, everyMs, signal);
        if (signal.aborted) return;
        try {
          const [{ sweepRetention }, { typedSql }] = await Promise.all([
            import('../../../db/retention/retention.ts'),
            import('../../../db/connection/database.ts'),
          ]);
          const removed = await sweepRetention(typedSql(pool), ages, { signal });
          if (removed.size > 0) log.info(Object.fromEntries(removed), 'removed expired rows');
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'cannot remove expired rows, retrying later');
        }
      }
    },
  };
}
