/**
 * `Turns` yields to the event loop once its time budget is used up. Reconcilers that find everything in caches never
 * really wait, and a hundred thousand of them in a row would block lease renewals, watches and health checks.
 */
import { setImmediate } from 'node:timers/promises';

const budgetMs = 5;

export class Semaphore {
  // Always the real clock: this is about the event loop of this process.
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < budgetMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
