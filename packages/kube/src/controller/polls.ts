/**
 * `polls` is a source for what sends no events: a table, an external API. It also completes an external source, which
 * loses early pushes.
 */
import { Backoff } from '../backoff.ts';
import { sleep } from '../clock.ts';
import { backgroundPriority } from '../queue/queue.ts';
import type { Request } from './request.ts';
import type { Sink, Source, StartedSource } from './source.ts';

export interface PollOptions {
  readonly everyMs: number;
  /** Resolves to all requests that should exist now. */
  readonly poll: (cluster: string, signal: AbortSignal) => Promise<Iterable<Request>>;
  /** Timeout of one poll. The default is 30 s. */
  readonly timeoutMs?: number;
  readonly random?: () => number;
}

/**
 `polls` * Creates the source. It has synced after the first successful poll. A poll that fails is retried with growing pauses.
 */
export function polls(name: string, options: PollOptions): Source {
  return { name, start: (sink) => new Polling(name, options, sink) };
}

class Polling implements StartedSource {
  readonly #name: string;
  readonly #options: PollOptions;
  readonly #sink: Sink;
  readonly #backoff: Backoff;
  readonly #first = Promise.withResolvers<void>();
  #trouble: string | undefined;
  hasSynced = false;

  constructor(name: string, options: PollOptions, sink: Sink) {
    const { everyMs, random = Math.random } = options;
    this.#name = name;
    this.#options = options;
    this.#sink = sink;
    this.#backoff = new Backoff({ initialMs: 1000, factor: 2, maxMs: Math.max(1000, everyMs), jitter: 0.5, random });
    void this.#loop();
  }

  async synced(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const end = (): void => ended.resolve();
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', end, { once: true });
    await Promise.race([this.#first.promise, ended.promise]);
    signal.removeEventListener('abort', end);
  }

  trouble(): string | undefined {
    return this.#trouble;
  }

  async #loop(): Promise<void> {
    const { clock, signal } = this.#sink;
    while (!signal.aborted) await sleep(clock, await this.#once(), signal);
  }

  /** Resolves to the pause before the next poll. */
  async #once(): Promise<number> {
    const { everyMs, random = Math.random } = this.#options;
    try {
      for (const request of await this.#ask()) this.#sink.enqueue(request, { priority: backgroundPriority });
      this.#trouble = undefined;
      this.hasSynced = true;
      this.#first.resolve();
      this.#backoff.reset();
      return everyMs * (1 + random() * 0.1);
    } catch (error) {
      if (this.#sink.signal.aborted) return 0;
      this.#trouble = error instanceof Error ? error.message : 'the poll failed';
      this.#sink.log.error({ err: error, source: this.#name }, 'poll failed');
      return this.#backoff.take();
    }
  }

  /** Ends at the deadline even when the poll ignores its signal. */
  async #ask(): Promise<Iterable<Request>> {
    const { poll, timeoutMs = 30_000 } = this.#options;
    const { clock, signal, cluster } = this.#sink;
    const asking = new AbortController();
    const over = Promise.withResolvers<never>();
    const giveUp = (reason: string): void => {
      const error = new Error(`cannot poll "${this.#name}": ${reason}`);
      asking.abort(error);
      over.reject(error);
    };
    const stop = (): void => giveUp('stopped');
    const timer = clock.after(timeoutMs, () => giveUp(`no answer within ${timeoutMs} ms`));
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([poll(cluster, asking.signal), over.promise]);
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', stop);
    }
  }
}
