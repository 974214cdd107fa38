/** Where the events of one listener go: a socket that may be slow, or gone. */
import type { Writable } from 'node:stream';

/** More than this is not kept for one that does not read: it is told later, out of the log. */
const mostBytes = 256 * 1024;

export class Outlet {
  readonly #response: Writable;
  readonly #gone = new AbortController();

  constructor(response: Writable) {
    this.#response = response;
    const leave = (): void => this.#gone.abort();
    response.once('close', leave);
    response.once('error', leave);
    if (response.destroyed) leave();
  }

  /** Aborted when nobody listens any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** There is too much that was not read yet. */
  get isFull(): boolean {
    return this.#response.writableLength > mostBytes;
  }

  /** Nothing waits to be read, so a word in between does no harm. */
  get isIdle(): boolean {
    return this.#response.writableLength === 0;
  }

  write(text: string): void {
    if (text !== '' && !this.#gone.signal.aborted) this.#response.write(text);
  }

  /** Until all is read, nobody listens any more, or the time is up: then nobody does either. */
  async drained(withinMs: number): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#gone.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#response.destroy(), withinMs);
    this.#response.once('drain', resolve);
    this.#response.once('close', resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#response.off('drain', resolve);
      this.#response.off('close', resolve);
    }
  }

  end(): void {
    this.#response.end();
  }
}
