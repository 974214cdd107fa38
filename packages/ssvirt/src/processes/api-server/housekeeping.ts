/** Runs in every replica from time to time: ends expired sessions and deletes data that no longer counts. */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { sessionHousekeeping } from '../../api/auth/sessions/housekeeping.ts';
import type { Tables } from '../../db/schema/schema.ts';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable } from '@ssvirt/kube/manager/runnable';

const everyMs = 600_000;

export function housekeeping(db: Kysely<Tables>, log: Logger): Runnable {
  return {
    name: 'housekeeping',
    needsLeadership: false,
    async run({ signal }) {
      while (!signal.aborted) {
        // Replicas that started together should not run this together.
        await sleep(systemClock, everyMs * (0.5 + Math.random()), signal);
        if (signal.aborted) return;
        try {
          const done = await sessionHousekeeping(db);
          log.debug({ ...done }, 'removed expired sessions and log-in failures');
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'cannot remove expired sessions, retrying later');
        }
      }
    },
  };
}
