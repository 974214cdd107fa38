/** Helpers for long work, which must yield so that lease renewals and requests do not wait for it. */

/** Lets everything else that is ready run first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How long one turn may last. */
export const turnMs = 5;
