/** Helpers for long work, which must yield so that lease renewals and requests do not wait for it. */

/** `yieldToEventLoop` lets everything else that is ready run first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How long a slice of long work may last. */
export const sliceMs = 5;

/**
 * `TimeBudget` yields to the event loop once a slice is used up. Reconcilers that find everything in caches never really
 * wait, and a hundred thousand of them in a row would block lease renewals, watches and health checks.
 */
export class TimeBudget {
  // Always the real clock: this is about the event loop of this process.
  #since = performance.now();

  async yieldWhenSpent(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}
