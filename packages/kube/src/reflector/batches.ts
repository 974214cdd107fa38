/** `Batches` reads a watch batch by batch with a time limit: a half-open connection stays silent forever. */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { WatchEvent, WatchStream } from '../client/client.ts';
import type { KubeObject } from '../object.ts';

export type Batch<T extends KubeObject> = readonly WatchEvent<T>[] | 'ended' | 'silence' | 'stopped';

export class Batches<T extends KubeObject> {
  readonly #stream: WatchStream<T>;
  readonly #iterator: AsyncIterator<readonly WatchEvent<T>[]>;
  readonly #clock: Clock;
  #rest: readonly WatchEvent<T>[] = [];

  constructor(stream: WatchStream<T>, clock: Clock = systemClock) {
    this.#stream = stream;
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#clock = clock;
  }

  /** These events are returned next: the rest of the batch that contained the end of the initial events. */
  giveBack(events: readonly WatchEvent<T>[]): void {
    this.#rest = events;
  }

  /** Rejects with the stream's error. */
  async take(limitMs: number, signal: AbortSignal): Promise<Batch<T>> {
    if (signal.aborted) return 'stopped';
    if (this.#rest.length > 0) {
      const rest = this.#rest;
      this.#rest = [];
      return rest;
    }
    const read = this.#iterator.next();
    // When the timer wins, the read may still fail once the stream is closed; its result is unused then.
    read.catch(() => undefined);
    return this.#within(read, limitMs, signal);
  }

  close(): void {
    this.#stream.close();
  }

  #within(
    read: Promise<IteratorResult<readonly WatchEvent<T>[]>>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Batch<T>> {
    return new Promise((resolve, reject) => {
      const stop = (): void => settle(() => resolve('stopped'));
      const timer = this.#clock.after(limitMs, () => settle(() => resolve('silence')));
      const settle = (act: () => void): void => {
        timer.cancel();
        signal.removeEventListener('abort', stop);
        act();
      };
      signal.addEventListener('abort', stop, { once: true });
      read.then(
        (result) => settle(() => resolve(result.done === true ? 'ended' : result.value)),
        (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
  }
}
