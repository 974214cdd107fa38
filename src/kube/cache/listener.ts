/**
 * One handler with its own buffer and loop. What it is told waits here in order, so that a slow handler holds up nobody, and one that throws loses
 * nothing but what it threw on.
 */
import { turnMs, yieldTurn } from '../turn.ts';
import type { Handler } from './informer.ts';
import { Latch } from './latch.ts';
import type { Notification } from './notification.ts';

type Entry<P> = Notification<P> | { readonly type: 'synced' };

export interface ListenerEvents {
  /** Told after each change of the number of pending entries. */
  readonly pending?: (difference: number) => void;
  readonly failed?: (error: unknown) => void;
}

/** Whatever else goes on for a handler ends with it. */
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

  /** What was told so far was the first list. */
  markSynced(): void {
    this.#push({ type: 'synced' });
  }

  whenRemoved(farewell: Farewell): void {
    this.#farewell = farewell;
  }

  /** Nothing more is handed over, not even what waits. */
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
    // It never rejects: whatever a handler throws is reported.
    void this.#drain();
  }

  async #drain(): Promise<void> {
    // Never in the turn of the one who tells.
    await yieldTurn();
    let startedAt = performance.now();
    for (let entry = this.#take(); entry !== undefined; entry = this.#take()) {
      try {
        const done = this.#deliver(entry);
        if (done !== undefined) await done;
      } catch (error) {
        this.#events.failed?.(error);
      }
      if (performance.now() - startedAt < turnMs) continue;
      await yieldTurn();
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
