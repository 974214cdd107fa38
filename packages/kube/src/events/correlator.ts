/**
 * `Correlator` decides what happens to an event, by client-go's rules: a repeated event raises a count, too many events
 * that differ only in their message are combined, and a source that emits too much about an object is cut off.
 */
import { BoundedMap } from '../bounded-map.ts';
import type { Clock } from '../clock.ts';
import { alikeKey, sameKey } from './event-keys.ts';
import type { CoreEvent } from './event.ts';
import { SpamFilter } from './spam-filter.ts';

export interface CorrelatorOptions {
  /** From this many different messages on, similar events are combined. */
  readonly similar: number;
  readonly similarWithinMs: number;
  readonly burst: number;
  readonly refillMs: number;
  readonly remembered: number;
}

export const defaultCorrelation: CorrelatorOptions = {
  similar: 10,
  similarWithinMs: 600_000,
  burst: 25,
  refillMs: 300_000,
  remembered: 4096,
};

export type Correlation =
  | { readonly action: 'create'; readonly event: CoreEvent; readonly combined: boolean }
  /** It was written before, under this name: only count, time and message change. */
  | { readonly action: 'count'; readonly event: CoreEvent; readonly combined: boolean }
  | { readonly action: 'drop' };

interface Alike {
  readonly messages: Set<string>;
  readonly at: number;
}

interface Seen {
  readonly name: string | undefined;
  readonly firstTimestamp: string;
  readonly count: number;
}

export class Correlator {
  readonly #options: CorrelatorOptions;
  readonly #clock: Clock;
  readonly #alike: BoundedMap<string, Alike>;
  readonly #seen: BoundedMap<string, Seen>;
  readonly #spam: SpamFilter;

  constructor(options: CorrelatorOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#alike = new BoundedMap(options.remembered);
    this.#seen = new BoundedMap(options.remembered);
    this.#spam = new SpamFilter(options, clock);
  }

  correlate(event: CoreEvent): Correlation {
    const combined = this.#isOneOfTooMany(event);
    const key = combined ? alikeKey(event) : sameKey(event);
    const observed = this.#observe(key, combined ? combine(event) : event);
    // Counted above even when it is dropped here: the next one that passes has the true count.
    if (!this.#spam.admits(observed)) return { action: 'drop' };
    return { action: observed.count > 1 ? 'count' : 'create', event: observed, combined };
  }

  #isOneOfTooMany(event: CoreEvent): boolean {
    const { similar, similarWithinMs } = this.#options;
    const key = alikeKey(event);
    const now = this.#clock.now();
    const known = this.#alike.get(key);
    const fresh = known !== undefined && now - known.at <= similarWithinMs;
    const messages = fresh ? known.messages : new Set<string>();
    messages.add(event.message);
    this.#alike.set(key, { messages, at: now });
    if (messages.size < similar) return false;
    // Keeps the set bounded: the oldest message makes room for the next.
    const oldest = messages.values().next();
    if (oldest.done !== true) messages.delete(oldest.value);
    return true;
  }

  #observe(key: string, event: CoreEvent): CoreEvent {
    const before = this.#seen.get(key);
    const count = (before?.count ?? 0) + 1;
    const name = before?.name ?? event.metadata.name;
    const firstTimestamp = before?.firstTimestamp ?? event.firstTimestamp;
    this.#seen.set(key, { name, firstTimestamp, count });
    if (before === undefined || name === undefined) return event;
    return { ...event, metadata: { ...event.metadata, name }, firstTimestamp, count };
  }
}

function combine(event: CoreEvent): CoreEvent {
  return { ...event, message: `(combined from similar events): ${event.message}` };
}
