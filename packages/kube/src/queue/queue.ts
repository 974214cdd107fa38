/**
 * `Queue` holds the keys that a controller must handle, each at most once and never with two workers. Adding a key
 * that waits changes nothing, except that it becomes due sooner or gets a higher priority if the new request says so. A
 * key that is added while it is worked on is queued once more, when that work is done. Nothing is kept about a finished
 * key.
 */
import { systemClock, type Clock } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Delays, type Delayed } from './delays.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { RetryDelay, type RetryDelayOptions } from './retry-delay.ts';
import { Shares, type ReadyKey, type ShareLimits } from './shares.ts';

/** For background work: first lists and resyncs. */
export const backgroundPriority = -100;

export interface AddOptions {
  /** Higher goes first. The default is 0. */
  readonly priority?: number;
  readonly afterMs?: number;
  /** Counts a failure of the key: the pause grows with each failure in a row, up to `afterMs`. */
  readonly rateLimited?: boolean;
}

export interface Taken<T> {
  readonly item: T;
  readonly priority: number;
}

export interface QueueOptions<T> extends ShareLimits {
  readonly name: string;
  readonly keyOf: (item: T) => string;
  /**
   * Returns the share of a key, always the same one. Shares take turns, and each has its own workers: see shares.ts.
   */
  readonly shareOf: (item: T) => string;
  /** Whether a key must not be worked on yet; `released` says that the answer may have changed. */
  readonly isHeld?: (item: T) => boolean;
  readonly retry?: RetryDelayOptions;
  readonly clock?: Clock;
  readonly metrics?: Metrics;
}

type Place = 'delayed' | 'ready' | 'held' | 'behind its own work';

interface Entry<T> extends ReadyKey, Delayed {
  readonly key: string;
  readonly item: T;
  place: Place;
}

interface Work<T> {
  readonly item: T;
  readonly share: string;
  readonly began: number;
  /** Whether it counts toward the workers of its share. */
  counts: boolean;
}

interface Waiter<T> {
  readonly serve: (taken: Taken<T> | undefined) => void;
}

export class Queue<T> {
  readonly #options: QueueOptions<T>;
  readonly #clock: Clock;
  readonly #retry: RetryDelay;
  readonly #metrics: QueueMetrics;
  readonly #shares: Shares<Entry<T>>;
  readonly #delays: Delays<Entry<T>>;
  readonly #entries = new Map<string, Entry<T>>();
  #held = new Set<Entry<T>>();
  readonly #working = new Map<string, Work<T>>();
  readonly #depth = new Map<number, number>();
  readonly #waiters = new Set<Waiter<T>>();
  #whenIdle: (() => void)[] = [];
  #order = 0;
  #closed = false;

  constructor(options: QueueOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#retry = new RetryDelay(this.#clock, options.retry);
    this.#shares = new Shares(options);
    this.#delays = new Delays(this.#clock, (due) => {
      for (const entry of due) this.#ripen(entry);
      this.#serve();
    });
    this.#metrics = new QueueMetrics(options.metrics, options.name, this.#clock, () => ({
      waiting: this.#depth,
      began: [...this.#working.values()].map(({ began }) => began),
    }));
  }

  /** The number of waiting keys, delayed ones included. */
  get size(): number {
    return this.#entries.size;
  }

  get working(): number {
    return this.#working.size;
  }

  /** The size of everything kept for any key: 0 when all work is done. */
  get remembered(): number {
    return this.#entries.size + this.#held.size + this.#working.size + this.#retry.size + this.#shares.size;
  }

  add(item: T, options: AddOptions = {}): void {
    if (this.#closed) return;
    const key = this.#options.keyOf(item);
    const due = this.#clock.now() + this.#delay(key, options);
    const { priority = 0 } = options;
    if (!Number.isFinite(priority)) throw new RangeError(`cannot add a key with priority ${priority}`);
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#insert(key, item, due, priority);
    else this.#merge(entry, due, priority);
    this.#serve();
  }

  /**
   * Resolves to the next key, or to undefined when the signal is aborted or the queue is shut down. The caller must
   * call `done`.
   */
  next(signal?: AbortSignal): Promise<Taken<T> | undefined> {
    if (this.#closed || signal?.aborted === true) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const abort = (): void => waiter.serve(undefined);
      const waiter: Waiter<T> = {
        serve: (taken) => {
          this.#waiters.delete(waiter);
          signal?.removeEventListener('abort', abort);
          resolve(taken);
        },
      };
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
      this.#serve();
    });
  }

  done(item: T): void {
    const key = this.#options.keyOf(item);
    const work = this.#working.get(key);
    if (work === undefined) return;
    this.#working.delete(key);
    this.#dismiss(work);
    this.#metrics.worked(work.began);
    const entry = this.#entries.get(key);
    if (entry?.place === 'behind its own work') this.#settle(entry);
    this.#serve();
    this.#tellIdle();
  }

  /** Resets the key's failures: the next failure is the first. */
  forget(item: T): void {
    this.#retry.forget(this.#options.keyOf(item));
  }

  failures(item: T): number {
    return this.#retry.failures(this.#options.keyOf(item));
  }

  /** Checks the held keys again. */
  released(): void {
    const held = this.#held;
    this.#held = new Set();
    for (const entry of held) this.#settle(entry);
    this.#serve();
  }

  /**
   * Drops all waiting keys that match. Work in progress on them continues and keeps its key, but no longer counts
   * toward the workers of its share.
   */
  drop(isUnwanted: (item: T) => boolean): void {
    for (const entry of this.#entries.values()) if (isUnwanted(entry.item)) this.#discard(entry);
    for (const [key, work] of this.#working) {
      if (!isUnwanted(work.item)) continue;
      this.#retry.forget(key);
      this.#dismiss(work);
    }
    this.#serve();
  }

  /**
   * Accepts and returns no more keys. Waiting keys are dropped, because the next start finds them again. Work in
   * progress may finish.
   */
  shutDown(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const entry of this.#entries.values()) this.#discard(entry);
    this.#retry.clear();
    this.#delays.stop();
    for (const waiter of this.#waiters) waiter.serve(undefined);
    this.#metrics.close();
  }

  /** Resolves when no work is in progress, or when the signal is aborted; then `working` shows the rest. */
  idle(signal?: AbortSignal): Promise<void> {
    if (this.#working.size === 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      this.#whenIdle.push(end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  #delay(key: string, { afterMs = 0, rateLimited = false }: AddOptions): number {
    if (!(afterMs >= 0 && afterMs < Infinity)) throw new RangeError(`cannot add a key after ${afterMs} ms`);
    if (afterMs > 0 || rateLimited) this.#metrics.retried();
    if (!rateLimited) return afterMs;
    const delay = this.#retry.next(key);
    return afterMs > 0 ? Math.min(afterMs, delay) : delay;
  }

  #insert(key: string, item: T, due: number, priority: number): void {
    const share = this.#options.shareOf(item);
    const entry: Entry<T> = { key, item, share, due, priority, order: this.#order++, place: 'delayed', slot: -1 };
    this.#entries.set(key, entry);
    if (due <= this.#clock.now()) this.#ripen(entry);
    else this.#delays.add(entry);
  }

  #merge(entry: Entry<T>, due: number, priority: number): void {
    const before = entry.priority;
    entry.priority = Math.max(before, priority);
    if (entry.place === 'delayed') {
      if (due >= entry.due) return;
      this.#delays.remove(entry);
      entry.due = due;
      if (due <= this.#clock.now()) this.#ripen(entry);
      else this.#delays.add(entry);
    } else if (priority > before) {
      // It goes behind those that already have this priority.
      entry.order = this.#order++;
      this.#count(before, -1);
      this.#count(priority, 1);
      if (entry.place === 'ready') this.#shares.moved(entry);
    }
  }

  /** Its delay is over. */
  #ripen(entry: Entry<T>): void {
    entry.due = this.#clock.now();
    entry.order = this.#order++;
    this.#count(entry.priority, 1);
    this.#metrics.added();
    this.#settle(entry);
  }

  #settle(entry: Entry<T>): void {
    if (this.#working.has(entry.key)) {
      entry.place = 'behind its own work';
    } else if (this.#options.isHeld?.(entry.item) === true) {
      entry.place = 'held';
      this.#held.add(entry);
    } else {
      entry.place = 'ready';
      this.#shares.add(entry);
    }
  }

  #discard(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    this.#retry.forget(entry.key);
    if (entry.place === 'delayed') return this.#delays.remove(entry);
    this.#count(entry.priority, -1);
    this.#held.delete(entry);
    if (entry.place === 'ready') this.#shares.remove(entry);
  }

  #serve(): void {
    for (const waiter of this.#waiters) {
      const entry = this.#shares.take();
      if (entry === undefined) return;
      this.#entries.delete(entry.key);
      this.#count(entry.priority, -1);
      this.#working.set(entry.key, { item: entry.item, share: entry.share, began: this.#clock.now(), counts: true });
      this.#metrics.taken(entry.due);
      waiter.serve({ item: entry.item, priority: entry.priority });
    }
  }

  #dismiss(work: Work<T>): void {
    if (work.counts) this.#shares.release(work.share);
    work.counts = false;
  }

  #tellIdle(): void {
    if (this.#working.size > 0) return;
    const listeners = this.#whenIdle;
    this.#whenIdle = [];
    for (const tell of listeners) tell();
  }

  #count(priority: number, by: 1 | -1): void {
    this.#depth.set(priority, (this.#depth.get(priority) ?? 0) + by);
  }
}
