/**
 * `SpamFilter` has a token bucket per source and object: an object that is always unhealthy must not fill the cluster
 * with events.
 */
import { BoundedMap } from '../bounded-map.ts';
import type { Clock } from '../clock.ts';
import { spamKey } from './event-keys.ts';
import type { CoreEvent } from './event.ts';

export interface SpamOptions {
  readonly burst: number;
  readonly refillMs: number;
  readonly remembered: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export class SpamFilter {
  readonly #options: SpamOptions;
  readonly #clock: Clock;
  readonly #buckets: BoundedMap<string, Bucket>;

  constructor(options: SpamOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#buckets = new BoundedMap(options.remembered);
  }

  /** Whether this event may be sent; takes a token if so. */
  admits(event: CoreEvent): boolean {
    const { burst, refillMs } = this.#options;
    const key = spamKey(event);
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
