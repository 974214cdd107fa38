/** `Latch` becomes open once; any number of callers can wait for it. */
import { KubeError } from '../errors.ts';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Latch {
  readonly #waiting = new Set<Waiting>();
  #open = false;
  #failure: Error | undefined;

  get isOpen(): boolean {
    return this.#open;
  }

  open(): void {
    this.#open = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Rejects all current and future waits: the latch will never open. */
  fail(failure: Error): void {
    if (this.#open) return;
    this.#failure = failure;
    for (const { reject } of this.#waiting) reject(failure);
    this.#waiting.clear();
  }

  /** Rejects with a KubeError of kind `Aborted` when the signal is aborted first. */
  wait(signal?: AbortSignal): Promise<void> {
    if (this.#open) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (signal?.aborted === true) return Promise.reject(gaveUp(signal));
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => waiting.reject(signal === undefined ? new Error('unreachable') : gaveUp(signal));
      const waiting: Waiting = {
        resolve: () => {
          end();
          resolve();
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}

function gaveUp(signal: AbortSignal): KubeError {
  return new KubeError('Aborted', 'the wait for the cache was aborted', { cause: signal.reason });
}
