/** The socket of one event stream, which may be slow or gone. */
import type { Writable } from 'node:stream';

/** A client that does not read gets no more than this buffered; the rest comes from the log later. */
const mostBytes = 256 * 1024;

export class SseStream {
  readonly #response: Writable;
  readonly #gone = new AbortController();

  constructor(response: Writable) {
    this.#response = response;
    const leave = (): void => this.#gone.abort();
    response.once('close', leave);
    response.once('error', leave);
    if (response.destroyed) leave();
  }

  /** Aborted when the client has disconnected. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The client has too much unread data. */
  get isFull(): boolean {
    return this.#response.writableLength > mostBytes;
  }

  /** The client has read everything, so a keep-alive does no harm. */
  get isIdle(): boolean {
    return this.#response.writableLength === 0;
  }

  write(text: string): void {
    if (text !== '' && !this.#gone.signal.aborted) this.#response.write(text);
  }

  /** Resolves when everything was read or the client has disconnected; disconnects it when the time is up. */
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
