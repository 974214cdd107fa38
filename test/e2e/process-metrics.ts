/**
 * The metrics of one process of ours during a run. Its counters begin at 0 again when it is restarted, and are gone when
 * it ends: so they are read all the time, and a restart is a failure of its own.
 */
import { setTimeout } from 'node:timers/promises';
import { failedRequestsIn, type FailedRequests } from './failed-requests.ts';
import { StoryError } from './wait.ts';

const everyMs = 200;
/** While the process ends: its last requests are seen only in the moment before its metrics are gone. */
const everyMsAtEnd = 20;
const answerMs = 30_000;

export class ProcessMetrics {
  readonly #name: string;
  readonly #url: string;
  readonly #failed: FailedRequests;
  readonly #ended = new AbortController();
  #startTime: string | undefined;
  #everyMs = everyMs;
  #polling: Promise<void> = Promise.resolve();

  /** `url` is that of `/metrics`; what is read is added to `failed`. */
  constructor(name: string, url: string, failed: FailedRequests) {
    this.#name = name;
    this.#url = url;
    this.#failed = failed;
  }

  /** Rejects if the process does not report its metrics: the run could not know what was refused. */
  async read(): Promise<void> {
    const signal = AbortSignal.timeout(answerMs);
    // A connection that is kept open would delay the end of the process.
    const answer = await fetch(this.#url, { headers: { connection: 'close' }, signal }).catch((error: unknown) => {
      throw new StoryError(`${this.#name} does not answer when asked for its metrics: ${String(error)}`);
    });
    const text = await answer.text();
    if (answer.status !== 200)
      throw new StoryError(`${this.#name} answers ${answer.status} when asked for its metrics`);
    const startTime = startTimeIn(text);
    if (this.#startTime !== undefined && startTime !== this.#startTime) this.#failed.addRestart(this.#name);
    this.#startTime = startTime;
    this.#failed.add(failedRequestsIn(this.#name, text));
  }

  /** Reads again and again from now on. Rejects if the first answer has no metrics. */
  async follow(): Promise<void> {
    await this.read();
    this.#polling = this.#poll();
  }

  /** Reads until the process has ended, which `stop` resolves to. */
  async readUntilEnd(stop: () => Promise<unknown>): Promise<void> {
    this.#everyMs = everyMsAtEnd;
    try {
      await stop();
    } finally {
      this.#ended.abort();
      await this.#polling;
    }
  }

  async #poll(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await setTimeout(this.#everyMs, undefined, { signal: this.#ended.signal }).catch(() => undefined);
      // A process that ends or is restarted does not answer; `read` at the end of each door finds one that never does.
      await this.read().catch(() => undefined);
    }
  }
}

/** Undefined where the process does not report it. */
export function startTimeIn(text: string): string | undefined {
  return /^process_start_time_seconds (\S+)$/m.exec(text)?.[1];
}
