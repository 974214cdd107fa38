/** `Retries` decides whether a request is sent again, and after which pause. */
import { Backoff } from '../backoff.ts';
import type { Call, Answer } from './call.ts';
import { isReset } from './failure.ts';
import { retryAfter } from './refusal.ts';

export const maxAttempts = 10;

/** `RetryOutcome` is the result of an attempt. */
export type RetryOutcome = { readonly answer: Answer } | { readonly error: unknown };

export class Retries {
  readonly #method: Call['method'];
  readonly #backoff: Backoff;
  #attempts = 0;

  constructor(method: Call['method'], random: () => number = Math.random) {
    this.#method = method;
    this.#backoff = new Backoff({ initialMs: 50, factor: 2, maxMs: 5_000, jitter: 1, random });
  }

  /** The pause before the next attempt in milliseconds; undefined for no further attempt. */
  next(outcome: RetryOutcome): number | undefined {
    this.#attempts++;
    if (this.#attempts >= maxAttempts) return undefined;
    if ('error' in outcome) return this.#method === 'GET' && isReset(outcome.error) ? this.#backoff.take() : undefined;
    const { code, headers } = outcome.answer;
    // Without Retry-After the server does not ask for a retry: the caller decides.
    const seconds = code === 429 || code >= 500 ? retryAfter(headers) : undefined;
    return seconds === undefined ? undefined : seconds * 1000 + this.#backoff.take();
  }
}
