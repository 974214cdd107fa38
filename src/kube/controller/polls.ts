/** A source that asks, where nobody tells: a table, a foreign API. It also makes an external source whole, which loses what is pushed too early. */
import { Backoff } from '../backoff.ts';
import { sleep } from '../clock.ts';
import { backgroundPriority } from '../queue/queue.ts';
import type { Request } from './request.ts';
import type { Sink, Source, StartedSource } from './source.ts';

export interface PollOptions {
  readonly everyMs: number;
  /** All requests that there should be now. */
  readonly poll: (cluster: string, signal: AbortSignal) => Promise<Iterable<Request>>;
  /** How long one poll may take; 30 s unless said. */
  readonly timeoutMs?: number;
  readonly random?: () => number;
}

/** Synced after the first answer. A poll that fails is repeated with growing pauses. */
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

  /** Says how long to wait until the next. */
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

  /** Ends at the deadline even where the poll does not listen to its signal. */
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
