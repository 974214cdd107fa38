/** Migrates the schema before anything is written. */
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { Connections } from '../../db/connection/connections.ts';
import { untilUpToDate } from '../../db/schema/up-to-date.ts';

export function schemaRunnable(database: Connections, log: Logger): Runnable {
  return {
    name: 'database-schema',
    // Runs on every replica before the election: a leader needs the tables. The watches of clusters do not wait for it.
    needsLeadership: false,
    async warmUp(signal) {
      const backoff = new Backoff({ initialMs: 200, factor: 2, maxMs: 5000, jitter: 0.5 });
      await untilUpToDate(database, { log, signal, pause: () => sleep(systemClock, backoff.take(), signal) });
    },
    async run({ signal }) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}
