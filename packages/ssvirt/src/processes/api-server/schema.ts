/**
 * Waits for the database schema: everything that uses the tables starts after it, and requests before that are refused.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Connections } from '../../db/connection/connections.ts';
import { untilUpToDate } from '../../db/schema/up-to-date.ts';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Runnable, RunContext } from '@ssvirt/kube/manager/runnable';
import { aborted } from '@ssvirt/base/async/aborted';

export class Schema implements Runnable {
  readonly name = 'database-schema';
  readonly needsLeadership = false;
  readonly #database: Connections;
  readonly #log: Logger;
  readonly #prepare: (signal: AbortSignal) => Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;

  /**
   * `prepare` writes what must be in the tables before they are used. It is retried while the database is unavailable.
   */
  constructor(database: Connections, log: Logger, prepare: (signal: AbortSignal) => Promise<void>) {
    this.#database = database;
    this.#log = log;
    this.#prepare = prepare;
  }

  /** The answer to a request that comes before the schema is ready. */
  waitsFor(): string | undefined {
    return this.#isReady ? undefined : 'it is waiting for its database';
  }

  async run({ signal }: RunContext): Promise<void> {
    const backoff = new Backoff({ initialMs: 200, factor: 2, maxMs: 5000, jitter: 0.5 });
    const pause = (): Promise<void> => sleep(systemClock, backoff.take(), signal);
    await untilUpToDate(this.#database, { log: this.#log, signal, pause, prepare: () => this.#prepare(signal) });
    if (signal.aborted) return;
    this.#isReady = true;
    this.#ready.resolve();
    await aborted(signal);
  }

  /** Returns the runnable, delayed until the schema is ready. Its warm-up is delayed too. */
  before(runnable: Runnable): Runnable {
    return {
      name: runnable.name,
      ...defined({ kind: runnable.kind }),
      needsLeadership: false,
      run: async (context) => {
        await Promise.race([this.#ready.promise, aborted(context.signal)]);
        if (context.signal.aborted) return;
        await runnable.warmUp?.(context.signal);
        if (!context.signal.aborted) await runnable.run(context);
      },
    };
  }
}
