/** Follows the change log: everything that is committed after a position, in order, once. */
import { Wakeup } from '@ssvirt/base/async/wakeup';
import { defined } from '@ssvirt/base/values/defined';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenForChanges, type Channel } from './change-listener.ts';
import { positionNow, readChanges, type Change, type Position } from './change-reader.ts';
import type { Connections } from '../connection/connections.ts';
import { isRetryable } from '../connection/errors.ts';

export { formatPosition, isAtOrAfter, parsePosition, readChanges } from './change-reader.ts';
export type { Change, ReadOperation as ChangeOperation, Position } from './change-reader.ts';

export interface ChangeFeedOptions {
  readonly database: Pick<Connections, 'pool' | 'client'>;
  /** Where to continue. The default is now. */
  readonly from?: Position;
  /** The default is all kinds. */
  readonly kinds?: readonly string[];
  /** Only changes of the desired state. Observations (`observed`) do not even wake the reader. */
  readonly desiredOnly?: boolean;
  /** The largest number of changes per call of the handler. */
  readonly limit?: number;
  /** The feed has a position: everything that is committed from now on will be reported. */
  readonly onStart?: (position: Position) => void;
  /** The next batch is read when this call is done. An error ends the feed. */
  readonly onChanges: (changes: readonly Change[]) => Promise<void> | void;
  /**
   * Changes were missed, because they are older than the retention: read everything again. The feed continues from now.
   */
  readonly onReset: () => Promise<void> | void;
  /** PostgreSQL could not be reached; the feed retries. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Rows above the horizon are looked for again after this time, and more slowly while a transaction stays open for long.
 */
const horizonMs = 50;
const longestHorizonMs = 500;
/** The longest delay that a lost wakeup costs. */
const idleMs = 5_000;
const firstRetryMs = 100;
const longestRetryMs = 5_000;

export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #position: Position | undefined;
  readonly #wakeup = new Wakeup();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#position = options.from;
  }

  /** The position after the last change that the handler has finished. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Resolves when aborted. Rejects with an error of a handler, or with one of PostgreSQL that a retry cannot mend. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    const { ring } = this.#wakeup;
    both.addEventListener('abort', ring, { once: true });
    const listening = listenForChanges(this.#options.database, this.#channels(), ring, both);
    try {
      await this.#follow(both);
    } finally {
      over.abort();
      await listening;
    }
  }

  #channels(): readonly Channel[] {
    return this.#options.desiredOnly === true ? ['ssvirt_changes'] : ['ssvirt_changes', 'ssvirt_observations'];
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let isStarted = false;
    let retryMs = firstRetryMs;
    let waitMs = horizonMs;
    while (!signal.aborted) {
      const step = await this.#look(signal);
      if (step === undefined) {
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined); // aborted: the loop ends
        retryMs = Math.min(retryMs * 2, longestRetryMs);
        continue;
      }
      retryMs = firstRetryMs;
      if (!isStarted && this.#position !== undefined) this.#options.onStart?.(this.#position);
      isStarted = true;
      if (step === 'more') continue;
      waitMs = step === 'waiting' ? Math.min(waitMs * 1.1, longestHorizonMs) : horizonMs;
      const restMs = step === 'waiting' ? waitMs : idleMs;
      await this.#wakeup.rest((rung) => sleep(restMs, undefined, { signal: rung }).catch(() => undefined)); // woken
    }
  }

  /** Undefined when PostgreSQL could not be reached. */
  async #look(signal: AbortSignal): Promise<'more' | 'waiting' | 'done' | undefined> {
    const { database, kinds, desiredOnly, limit, onChanges, onReset } = this.#options;
    const found = await this.#ask(async () => {
      this.#position ??= await positionNow(database.pool);
      return readChanges(database.pool, this.#position, {
        kinds,
        desiredOnly,
        ...defined({ limit }),
      });
    });
    if (found === undefined || signal.aborted) return undefined;
    if (found.isLost) {
      const now = await this.#ask(() => positionNow(database.pool));
      if (now === undefined) return undefined;
      // The position is taken before `onReset` is called, so changes during the reset are reported afterwards.
      this.#position = now;
      await onReset();
      return 'more';
    }
    if (found.changes.length > 0) await onChanges(found.changes);
    this.#position = found.next;
    if (found.hasMore) return 'more';
    return found.isWaiting ? 'waiting' : 'done';
  }

  async #ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    try {
      return await question();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      this.#options.onError?.(error);
      return undefined;
    }
  }
}
