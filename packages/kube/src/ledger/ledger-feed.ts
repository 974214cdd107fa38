/**
 * `LedgerFeed` is the bounded, ordered queue of a ledger's handler. A delivery that fails is retried with growing
 * pauses.
 */
import { Backoff } from '../backoff.ts';
import type { BackoffOptions } from '../backoff.ts';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { sliceMs, yieldToEventLoop } from '@ssvirt/base/async/yield';

const retries: BackoffOptions = { initialMs: 100, factor: 2, maxMs: 30_000, jitter: 0.5 };

export type Delivery = () => void | Promise<void>;

export interface FeedOptions {
  readonly clock: Clock;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly pending: (difference: number) => void;
  readonly failed: (error: unknown, attempts: number) => void;
}

export class LedgerFeed {
  readonly #options: FeedOptions;
  readonly #waiting: Delivery[] = [];
  readonly #forRoom = new Set<() => void>();
  #running = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#drop(), { once: true });
  }

  get pending(): number {
    return this.#waiting.length;
  }

  push(delivery: Delivery): void {
    if (this.#options.signal.aborted) return;
    this.#waiting.push(delivery);
    this.#options.pending(1);
    if (this.#running) return;
    this.#running = true;
    // It never rejects: a failed delivery is retried.
    void this.#drain();
  }

  /** Resolves when there is room, or when the feed is aborted. */
  async room(): Promise<void> {
    while (this.pending >= this.#options.limit && !this.#options.signal.aborted)
      await new Promise<void>((wake) => this.#forRoom.add(wake));
  }

  async #drain(): Promise<void> {
    const { signal, limit, pending } = this.#options;
    await yieldToEventLoop();
    let startedAt = performance.now();
    for (let next = this.#waiting[0]; next !== undefined && !signal.aborted; next = this.#waiting[0]) {
      // A synchronous handler is not awaited: a first list has tens of thousands of deliveries.
      const delivering = this.#deliver(next);
      if (delivering !== undefined) await delivering;
      if (signal.aborted) break;
      this.#waiting.shift();
      pending(-1);
      if (this.pending < limit) this.#wake();
      if (performance.now() - startedAt < sliceMs) continue;
      await yieldToEventLoop();
      startedAt = performance.now();
    }
    this.#running = false;
  }

  #deliver(delivery: Delivery): Promise<void> | undefined {
    try {
      const done = delivery();
      return done instanceof Promise ? done.catch((error: unknown) => this.#again(delivery, error)) : undefined;
    } catch (error) {
      return this.#again(delivery, error);
    }
  }

  async #again(delivery: Delivery, first: unknown): Promise<void> {
    const { signal, clock, failed } = this.#options;
    const pauses = new Backoff(retries);
    for (let error = first; ;) {
      failed(error, pauses.attempts + 1);
      await sleep(clock, pauses.take(), signal);
      if (signal.aborted) return;
      try {
        await delivery();
        return;
      } catch (thrown) {
        error = thrown;
      }
    }
  }

  /** Runs at once, not when a hanging handler returns: by then the metric's labels may belong to another ledger. */
  #drop(): void {
    this.#options.pending(-this.#waiting.splice(0).length);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#forRoom) wake();
    this.#forRoom.clear();
  }
}
