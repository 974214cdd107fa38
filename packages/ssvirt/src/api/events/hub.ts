/**
 * One reader of the change log for all event streams; it runs only while there are streams. A stream that resumes at a
 * position, or that is too slow, reads the log by itself until it reaches the position of the hub. So a stream needs
 * little memory, even if its client does not read.
 */
import { aborted } from '@ssvirt/base/async/aborted';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ChangeFeed, isAtOrAfter, readChanges, type Change, type Position } from '../../db/change-log/changes.ts';
import type { Connections } from '../../db/connection/connections.ts';
import { isRetryable } from '../../db/connection/errors.ts';
import { eventText, isEventKind, readyText, resetText } from './event.ts';
import type { SseStream } from './sse-stream.ts';
import { sees, type EventFilter } from './event-filter.ts';
import { Semaphore } from '../http/semaphore.ts';

export interface HubOptions {
  readonly log: Logger;
  /** Called when a client was too slow. */
  readonly onBehind?: () => void;
  /** How long the reader keeps running after the last stream. */
  readonly idleMs?: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly patienceMs?: number;
}

export interface Listening {
  /** The position to resume from; absent for now. */
  readonly from: Position | undefined;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

interface Reader {
  readonly end: AbortController;
  readonly started: Promise<void>;
  readonly over: Promise<void>;
}

class Listener {
  readonly filter: EventFilter;
  readonly stream: SseStream;
  readonly over: AbortSignal;
  /** All changes up to here were sent, or were not for this stream. */
  position: Position;
  /** Whether the position belongs to this log. */
  isKnown = false;
  /** The hub delivers to it, and it does not read the log itself. */
  isLive = false;

  constructor(filter: EventFilter, stream: SseStream, position: Position, over: AbortSignal) {
    this.filter = filter;
    this.stream = stream;
    this.position = position;
    this.over = over;
  }
}

/**
 * How many streams read the log by themselves at a time: after a restart all of them resume at once. The queue has no
 * limit, because the number of streams is limited.
 */
const readers = { atOnce: 4, waiting: Number.POSITIVE_INFINITY, refusal: () => new Error('the reader queue is full') };
const againMs = 500;

export class EventHub {
  readonly #database: Pick<Connections, 'pool' | 'client'>;
  readonly #options: Required<HubOptions>;
  readonly #listeners = new Set<Listener>();
  readonly #readers = new Semaphore(readers);
  readonly #closed = new AbortController();
  #reader: Reader | undefined;
  #position: Position | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    database: Pick<Connections, 'pool' | 'client'>,
    { log, onBehind = () => undefined, idleMs = 30_000, patienceMs = 60_000 }: HubOptions,
  ) {
    this.#database = database;
    this.#options = { log, onBehind, idleMs, patienceMs };
  }

  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Resolves when the client has disconnected, on the signal, or when the hub closes; with `follow` false, when all
   * changes up to now were sent.
   */
  async serve(filter: EventFilter, stream: SseStream, { from, follow, signal }: Listening): Promise<void> {
    const over = AbortSignal.any([stream.gone, this.#closed.signal, signal]);
    const ended = aborted(over);
    clearTimeout(this.#idle);
    while (this.#position === undefined && !over.aborted) {
      const { started, over: failed } = this.#start();
      await Promise.race([started, failed, ended]);
    }
    if (this.#position === undefined || over.aborted) return this.#rest();
    const listener = new Listener(filter, stream, from ?? this.#position, over);
    // The database decides whether the position can be resumed from.
    listener.isKnown = from === undefined;
    this.#listeners.add(listener);
    try {
      stream.write(readyText(listener.position));
      await this.#bringUp(listener);
      if (follow) await ended;
    } finally {
      this.#listeners.delete(listener);
      this.#rest();
    }
  }

  /** Ends all streams; the clients reconnect to another replica and resume there. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#stop();
  }

  /** Reads the log until the stream has reached the hub, again whenever it was too slow. */
  async #bringUp(listener: Listener): Promise<void> {
    const { stream, over } = listener;
    while (!over.aborted && !listener.isLive) {
      await stream.drained(this.#options.patienceMs);
      if (over.aborted) return;
      const isRead = await this.#readers.take(() => this.#readAhead(listener));
      if (isRead === 'later') await sleep(againMs, undefined, { signal: over }).catch(() => undefined); // aborted: the loop ends
      listener.isLive = isRead === true && this.#hasReached(listener);
    }
  }

  /** True when the log was read to its end; false when there is more, or the client cannot take it now. */
  async #readAhead(listener: Listener): Promise<boolean | 'later'> {
    const { filter, stream, over } = listener;
    if (listener.isKnown && this.#hasReached(listener)) return true;
    try {
      const organization = filter.scope === 'all' ? undefined : filter.scope;
      const found = await readChanges(this.#pool, listener.position, { kinds: [...filter.kinds], organization });
      if (over.aborted) return false;
      listener.isKnown = true;
      if (found.isLost) {
        listener.position = this.#position ?? found.next;
        stream.write(resetText(listener.position));
        return true;
      }
      stream.write(textFor(listener, found.changes));
      listener.position = found.next;
      return !found.hasMore && !stream.isFull;
    } catch (error) {
      if (!isRetryable(error))
        this.#options.log.error({ err: error }, 'cannot read the change log for an event stream');
      return 'later';
    }
  }

  /** The hub's next batch starts at the stream's position or before it. */
  #hasReached({ position }: Listener): boolean {
    return this.#position !== undefined && isAtOrAfter(position, this.#position);
  }

  #start(): Reader {
    if (this.#reader !== undefined) return this.#reader;
    const end = new AbortController();
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const feed = new ChangeFeed({
      database: this.#database,
      ...(this.#position === undefined || this.#listeners.size === 0 ? {} : { from: this.#position }),
      onStart: (position) => {
        this.#position = position;
        resolve();
      },
      onChanges: (changes) => this.#tell(changes),
      onReset: () => this.#tellOfReset(feed.position),
    });
    const over = feed
      .run(end.signal)
      .catch(async (error: unknown) => {
        this.#options.log.error({ err: error }, 'change feed of event streams failed, retrying');
        await sleep(againMs, undefined, { signal: end.signal }).catch(() => undefined); // aborted: there are no streams
      })
      .finally(() => {
        if (this.#reader?.end !== end) return;
        this.#reader = undefined;
        if (this.#listeners.size > 0 && !this.#closed.signal.aborted) this.#start();
      });
    this.#reader = { end, started, over };
    return this.#reader;
  }

  #tell(changes: readonly Change[]): void {
    const last = changes.at(-1);
    if (last === undefined) return;
    const texts = new Map<Change, string>();
    for (const listener of this.#listeners) {
      if (!listener.isLive) continue;
      listener.stream.write(textFor(listener, changes, texts));
      listener.position = later(listener.position, last.position);
      if (listener.stream.isFull) this.#fallBehind(listener);
    }
    this.#position = last.position;
  }

  /** From here on the stream reads from the log, after the client has read its buffer. */
  #fallBehind(listener: Listener): void {
    listener.isLive = false;
    this.#options.onBehind();
    this.#bringUp(listener).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'cannot resume a slow event stream');
      listener.stream.end();
    });
  }

  #tellOfReset(position: Position | undefined): void {
    if (position === undefined) return;
    this.#position = position;
    for (const listener of this.#listeners) {
      if (!listener.isLive) continue;
      listener.position = position;
      listener.stream.write(resetText(position));
    }
  }

  #rest(): void {
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#options.idleMs);
    this.#idle.unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const reader = this.#reader;
    this.#reader = undefined;
    this.#position = undefined;
    reader?.end.abort();
    await reader?.over;
  }

  get #pool(): Pool {
    return this.#database.pool;
  }
}

/** All events in one string, since each write is a packet. `texts` caches what other streams were sent. */
function textFor(
  { filter, position }: Listener,
  changes: readonly Change[],
  texts = new Map<Change, string>(),
): string {
  let text = '';
  for (const change of changes) {
    if (!sees(filter, change) || isAtOrAfter(position, change.position) || !isEventKind(change.kind)) continue;
    const known = texts.get(change) ?? eventText(change.kind, change);
    texts.set(change, known);
    text += known;
  }
  return text;
}

function later(one: Position, other: Position): Position {
  return isAtOrAfter(one, other) ? one : other;
}
