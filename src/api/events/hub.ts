/**
 * One reader of the change log for all who listen, there only while somebody does. A listener that comes with a position, or that is too slow for what
 * happens, reads the log by itself until it stands where the hub stands: what is kept for it in memory is little, whatever it does not read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { ChangeFeed, isAtOrAfter, readChanges, type Change, type Position } from '../../db/changes.ts';
import type { Connections } from '../../db/connections.ts';
import { isRetryable } from '../../db/errors.ts';
import { eventText, isEventKind, readyText, resetText } from './event.ts';
import type { Outlet } from './outlet.ts';
import { sees, type Sight } from './sight.ts';
import { Turns } from '../turns.ts';

export interface HubOptions {
  readonly log: Logger;
  /** A listener was too slow. */
  readonly onBehind?: () => void;
  /** So long after the last listener the reader stays. */
  readonly idleMs?: number;
  /** One that reads nothing for so long is cut off. */
  readonly patienceMs?: number;
}

export interface Listening {
  /** Where to go on; from now where it is absent. */
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
  readonly sight: Sight;
  readonly outlet: Outlet;
  readonly over: AbortSignal;
  /** All up to here was told, or was nothing for this listener. */
  position: Position;
  /** The position is one of this log. */
  isKnown = false;
  /** Told by the hub, and not by reading the log. */
  isLive = false;

  constructor(sight: Sight, outlet: Outlet, position: Position, over: AbortSignal) {
    this.sight = sight;
    this.outlet = outlet;
    this.position = position;
    this.over = over;
  }
}

/** So many read the log by themselves at a time: after a restart all of them come back at once. As many wait as listen. */
const readers = { atOnce: 4, waiting: Number.POSITIVE_INFINITY, refusal: () => new Error('nobody is sent away') };
const againMs = 500;

export class EventHub {
  readonly #database: Pick<Connections, 'pool' | 'client'>;
  readonly #options: Required<HubOptions>;
  readonly #listeners = new Set<Listener>();
  readonly #turns = new Turns(readers);
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

  /** Until nobody listens any more, the signal, or the end of the hub; where nothing is to be followed, until all that there is was told. */
  async serve(sight: Sight, outlet: Outlet, { from, follow, signal }: Listening): Promise<void> {
    const over = AbortSignal.any([outlet.gone, this.#closed.signal, signal]);
    const ended = aborted(over);
    clearTimeout(this.#idle);
    while (this.#position === undefined && !over.aborted) {
      const { started, over: failed } = this.#start();
      await Promise.race([started, failed, ended]);
    }
    if (this.#position === undefined || over.aborted) return this.#rest();
    const listener = new Listener(sight, outlet, from ?? this.#position, over);
    // Whether it can be gone on from is for the database to say.
    listener.isKnown = from === undefined;
    this.#listeners.add(listener);
    try {
      outlet.write(readyText(listener.position));
      await this.#bringUp(listener);
      if (follow) await ended;
    } finally {
      this.#listeners.delete(listener);
      this.#rest();
    }
  }

  /** Everybody who listens comes back to another replica, and goes on there. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#stop();
  }

  /** Reads the log until the listener stands where the hub does; again and again where it is too slow. */
  async #bringUp(listener: Listener): Promise<void> {
    const { outlet, over } = listener;
    while (!over.aborted && !listener.isLive) {
      await outlet.drained(this.#options.patienceMs);
      if (over.aborted) return;
      const isRead = await this.#turns.take(() => this.#readAhead(listener));
      if (isRead === 'later') await sleep(againMs, undefined, { signal: over }).catch(() => undefined); // aborted: the loop ends
      listener.isLive = isRead === true && this.#hasReached(listener);
    }
  }

  /** True where all that there is was read; false where there is more, or it cannot be taken now. */
  async #readAhead(listener: Listener): Promise<boolean | 'later'> {
    const { sight, outlet, over } = listener;
    if (listener.isKnown && this.#hasReached(listener)) return true;
    try {
      const organization = sight.scope === 'all' ? undefined : sight.scope;
      const found = await readChanges(this.#pool, listener.position, { kinds: [...sight.kinds], organization });
      if (over.aborted) return false;
      listener.isKnown = true;
      if (found.isLost) {
        listener.position = this.#position ?? found.next;
        outlet.write(resetText(listener.position));
        return true;
      }
      outlet.write(textFor(listener, found.changes));
      listener.position = found.next;
      return !found.hasMore && !outlet.isFull;
    } catch (error) {
      if (!isRetryable(error))
        this.#options.log.error({ err: error }, 'cannot read the change log for an event stream');
      return 'later';
    }
  }

  /** What the hub tells next begins right behind what the listener knows, or before it. */
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
        await sleep(againMs, undefined, { signal: end.signal }).catch(() => undefined); // aborted: nobody listens
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
      listener.outlet.write(textFor(listener, changes, texts));
      listener.position = later(listener.position, last.position);
      if (listener.outlet.isFull) this.#fallBehind(listener);
    }
    this.#position = last.position;
  }

  /** From here on it is told out of the log, when it has read what it has. */
  #fallBehind(listener: Listener): void {
    listener.isLive = false;
    this.#options.onBehind();
    this.#bringUp(listener).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'cannot resume a slow event stream');
      listener.outlet.end();
    });
  }

  #tellOfReset(position: Position | undefined): void {
    if (position === undefined) return;
    this.#position = position;
    for (const listener of this.#listeners) {
      if (!listener.isLive) continue;
      listener.position = position;
      listener.outlet.write(resetText(position));
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

/** All of them in one piece: each write is a packet. `texts` keeps what others have had already. */
function textFor({ sight, position }: Listener, changes: readonly Change[], texts = new Map<Change, string>()): string {
  let text = '';
  for (const change of changes) {
    if (!sees(sight, change) || isAtOrAfter(position, change.position) || !isEventKind(change.kind)) continue;
    const known = texts.get(change) ?? eventText(change.kind, change);
    texts.set(change, known);
    text += known;
  }
  return text;
}

function later(one: Position, other: Position): Position {
  return isAtOrAfter(one, other) ? one : other;
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise;
}
