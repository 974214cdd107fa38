/**
 * `Listener` gives one handler its own buffer and loop. Notifications wait in order, so a slow handler delays only
 * itself, and a handler that throws loses only the notification it threw on.
 */
import { sliceMs, yieldToEventLoop } from '@ssvirt/base/async/yield';
import type { Handler } from './informer.ts';
import { Latch } from './latch.ts';
import type { Notification } from './notification.ts';

type Entry<P> = Notification<P> | { readonly type: 'synced' };

export interface ListenerEvents {
  /** Called with the difference after each change of the number of pending entries. */
  readonly pending?: (difference: number) => void;
  readonly failed?: (error: unknown) => void;
}

/** Runs when the handler is removed, to end whatever else belongs to it. */
type Farewell = () => void;

export class Listener<P> {
  readonly #handler: Handler<P>;
  readonly #events: ListenerEvents;
  readonly #synced = new Latch();
  #buffer: Entry<P>[] = [];
  #head = 0;
  #running = false;
  #removed = false;
  #farewell: Farewell | undefined;

  constructor(handler: Handler<P>, events: ListenerEvents = {}) {
    this.#handler = handler;
    this.#events = events;
  }

  get name(): string {
    return this.#handler.name;
  }

  get pending(): number {
    return this.#buffer.length - this.#head;
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  tell(notification: Notification<P>): void {
    this.#push(notification);
  }

  /** Everything pushed so far belongs to the first list. */
  markSynced(): void {
    this.#push({ type: 'synced' });
  }

  whenRemoved(farewell: Farewell): void {
    this.#farewell = farewell;
  }

  /** Nothing more is handed over, not even pending entries. */
  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#farewell?.();
    this.#events.pending?.(-this.pending);
    this.#buffer = [];
    this.#head = 0;
    this.#synced.fail(new Error(`the handler "${this.name}" was removed before it had taken the first list`));
  }

  #push(entry: Entry<P>): void {
    if (this.#removed) return;
    this.#buffer.push(entry);
    this.#events.pending?.(1);
    if (this.#running) return;
    this.#running = true;
    // It never rejects: what a handler throws is reported.
    void this.#drain();
  }

  async #drain(): Promise<void> {
    // A handler never runs in the same turn of the event loop as the change.
    await yieldToEventLoop();
    let startedAt = performance.now();
    for (let entry = this.#take(); entry !== undefined; entry = this.#take()) {
      try {
        const done = this.#deliver(entry);
        if (done !== undefined) await done;
      } catch (error) {
        this.#events.failed?.(error);
      }
      if (performance.now() - startedAt < sliceMs) continue;
      await yieldToEventLoop();
      startedAt = performance.now();
    }
    this.#running = false;
  }

  #take(): Entry<P> | undefined {
    const entry = this.#buffer[this.#head];
    if (entry === undefined) return undefined;
    this.#head++;
    this.#events.pending?.(-1);
    if (this.#head === this.#buffer.length) {
      this.#buffer = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 > this.#buffer.length) {
      this.#buffer = this.#buffer.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  #deliver(entry: Entry<P>): void | Promise<void> {
    switch (entry.type) {
      case 'added':
        return this.#handler.added(entry.object, { initial: entry.initial });
      case 'updated':
        return this.#handler.updated(entry.before, entry.after, { resync: entry.resync });
      case 'deleted':
        return this.#handler.deleted(entry.object, { finalStateUnknown: entry.finalStateUnknown });
      case 'synced':
        return this.#synced.open();
    }
  }
}
