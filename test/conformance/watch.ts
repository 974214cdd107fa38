/** One watch of a script: events are gathered in the background and handed out in batches. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Entry } from './transcript.ts';

export interface WatchEvent extends JsonObject {
  type: string;
  object: JsonObject;
}

export class Watch {
  readonly status: number;
  readonly #title: string;
  readonly #incoming: IncomingMessage;
  readonly #record: (entry: Entry) => void;
  readonly #patience: number;
  readonly #events: WatchEvent[] = [];
  #taken = 0;
  #ended = false;
  #dropBookmarks = false;
  #buffer = '';
  #wake: () => void = () => undefined;

  constructor(title: string, incoming: IncomingMessage, patience: number, record: (entry: Entry) => void) {
    this.#title = title;
    this.#incoming = incoming;
    this.#record = record;
    this.#patience = patience;
    this.status = incoming.statusCode ?? 0;
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => this.#feed(chunk));
    const finish = (): void => {
      this.#ended = true;
      this.#wake();
    };
    incoming.on('end', finish).on('error', finish).on('close', finish);
  }

  /** Takes the next n events. */
  take(n: number): Promise<WatchEvent[]> {
    const end = this.#taken + n;
    return this.#collect(() => (this.#events.length >= end ? end : undefined), `${n} events`);
  }

  /** Takes everything up to the first event that matches, that one included. */
  takeUntil(
    matches: (event: WatchEvent) => boolean,
    what = 'an event',
    seconds = this.#patience,
  ): Promise<WatchEvent[]> {
    return this.#collect(
      () => {
        const at = this.#events.findIndex((event, i) => i >= this.#taken && matches(event));
        return at === -1 ? undefined : at + 1;
      },
      what,
      false,
      seconds,
    );
  }

  /** Takes the next event that is not a bookmark: when bookmarks come depends on timing. */
  async takeChange(): Promise<WatchEvent | undefined> {
    const waiting = this.#events.splice(this.#taken).filter(({ type }) => type !== 'BOOKMARK');
    this.#events.push(...waiting);
    this.#dropBookmarks = true;
    const [event] = await this.take(1);
    this.#dropBookmarks = false;
    return event;
  }

  /** Takes everything up to the object of that name: a script writes it last, as a marker. */
  takeUntilNamed(name: string): Promise<WatchEvent[]> {
    return this.takeUntil(({ object }) => isObject(object['metadata']) && object['metadata']['name'] === name, name);
  }

  /** Takes what is left after the server has closed the stream. */
  async takeAll(): Promise<WatchEvent[]> {
    return this.#collect(() => (this.#ended ? this.#events.length : undefined), 'the end', true);
  }

  close(): void {
    this.#incoming.destroy();
  }

  async #collect(
    end: () => number | undefined,
    what: string,
    ended = false,
    seconds = this.#patience,
  ): Promise<WatchEvent[]> {
    const limit = Date.now() + seconds * 1000;
    for (;;) {
      const until = end();
      if (until !== undefined) {
        const events = this.#events.slice(this.#taken, until);
        this.#taken = until;
        this.#record({ watch: this.#title, status: this.status, events, ...(ended ? { ended } : {}) });
        return events;
      }
      const left = limit - Date.now();
      if (left <= 0 || this.#ended) {
        const seen = this.#events.slice(this.#taken).map((event) => JSON.stringify(event).slice(0, 300));
        const why = this.#ended ? 'the stream ended' : 'the deadline passed';
        throw new Error(
          `cannot take ${what} from watch ${this.#title}: ${why} after ${seen.length} events\n${seen.join('\n')}`,
        );
      }
      const woken = new Promise<void>((wake) => (this.#wake = wake));
      const timer = new AbortController();
      await Promise.race([woken, sleep(left, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
    }
  }

  #feed(chunk: string): void {
    this.#buffer += chunk;
    const lines = this.#buffer.split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) {
      const event = parseEvent(line);
      if (!this.#dropBookmarks || event.type !== 'BOOKMARK') this.#events.push(event);
    }
    this.#wake();
  }
}

/** A refused watch has a Status as its body: it is shown as an event without a type. */
function parseEvent(line: string): WatchEvent {
  try {
    const value = JSON.parse(line) as Json;
    if (isObject(value) && typeof value['type'] === 'string' && isObject(value['object'])) return value as WatchEvent;
    return { type: '', object: isObject(value) ? value : { value } };
  } catch {
    return { type: '', object: { text: line } };
  }
}
