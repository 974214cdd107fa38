/**
 * Lets the event loop have its turn. Reconcilers that find all they need in caches never wait for anything real, and a hundred thousand of them in
 * a row would hold up lease renewals, watches and health checks.
 */
import { setImmediate } from 'node:timers/promises';

const budgetMs = 5;

export class Turns {
  // The real clock, always: this is about the event loop of this process.
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < budgetMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
