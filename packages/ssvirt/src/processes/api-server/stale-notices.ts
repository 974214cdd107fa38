/**
 * Checks every second, in every replica, whether the VM statuses of a cluster became stale or current, for the event
 * stream.
 */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../../db/schema/schema.ts';
import { tellStale } from '../../db/clusters/stale-notices.ts';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable } from '@ssvirt/kube/manager/runnable';

const everyMs = 1_000;

export function staleNotices(db: Kysely<Tables>, log: Logger): Runnable {
  return {
    name: 'stale-notices',
    needsLeadership: false,
    async run({ signal }) {
      let failing = false;
      while (!signal.aborted) {
        try {
          for (const { name, stale } of await tellStale(db))
            log[stale ? 'warn' : 'info']({ cluster: name }, stale ? 'statuses are stale' : 'statuses are current');
          failing = false;
        } catch (error) {
          if (!signal.aborted && !failing) log.warn({ err: error }, 'cannot look for stale statuses, retrying');
          failing = true;
        }
        await sleep(systemClock, everyMs, signal);
      }
    },
  };
}
