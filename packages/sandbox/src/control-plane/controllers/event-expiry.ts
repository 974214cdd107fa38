/** Events expire one hour after their last write; in a real cluster, their etcd lease does this. */
import { parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';

const EVENTS = '/events';

export interface EventLife {
  /** Milliseconds from the last write of an Event to its expiry. */
  readonly lifetime: number;
  /** Milliseconds between two checks. */
  readonly interval: number;
}

const DEFAULT_LIFE: EventLife = { lifetime: 3_600_000, interval: 10_000 };

export class EventExpiry {
  readonly #store: Store;
  readonly #lifetime: number;
  /** When each Event was last written. The oldest come first, because a write moves its Event to the end. */
  readonly #written = new Map<string, number>();
  readonly #onError: (error: unknown, key: string) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;

  constructor(store: Store, onError: (error: unknown, key: string) => void, life: EventLife = DEFAULT_LIFE) {
    this.#store = store;
    this.#onError = onError;
    this.#lifetime = life.lifetime;
    const kept = [...store.table(EVENTS).range('')].map((entry) => [entry.key, lastWrite(entry)] as const);
    for (const [key, time] of kept.toSorted(([, a], [, b]) => a - b)) this.#written.set(key, time);
    this.#stop = store.listenTo(EVENTS, ({ type, entry }) => {
      this.#written.delete(entry.key);
      if (type !== 'DELETED') this.#written.set(entry.key, Date.now());
    });
    this.#timer = setInterval(() => this.#expire(), life.interval);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  #expire(): void {
    const horizon = Date.now() - this.#lifetime;
    for (const [key, time] of this.#written) {
      if (time > horizon) return;
      const entry = this.#store.table(EVENTS).get(key);
      if (entry === undefined) this.#written.delete(key);
      else if (!this.#remove(key, entry.revision)) return;
    }
  }

  /** A failure, such as a full disk, is retried at the next check. */
  #remove(key: string, revision: number): boolean {
    try {
      this.#store.remove(EVENTS, key, revision);
      return true;
    } catch (error) {
      this.#onError(error, key);
      return false;
    }
  }
}

/** After a restart, the time of the last write follows from the Event itself. */
function lastWrite(entry: Entry): number {
  const { metadata } = parseEntry(entry);
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => (time === undefined ? 0 : Date.parse(time))));
}
