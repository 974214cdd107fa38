/** One watch of a cache: feeds the contents, and reports how it ended. */
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { WatchRefused, type WatchHandler } from '../sandbox/connection.ts';
import { revisionOf, type Contents, type WatchEvent } from './contents.ts';
import { EventLines } from './event-lines.ts';
import type { World } from './world.ts';

export interface End {
  /** The server no longer has the events since the cache's position. */
  readonly relist: boolean;
  /** The watch ended cleanly, so the next one may start at once. */
  readonly orderly: boolean;
}

export interface StreamOptions {
  readonly title: string;
  /** The watch sends the existing objects first, instead of a list. */
  readonly initial: boolean;
  /** Called when the initial events are complete. */
  take(items: readonly KubeObject[], revision: number): void;
}

export class WatchStream implements WatchHandler {
  readonly over: Promise<End>;
  readonly end: (end: End) => void;
  readonly #world: World;
  readonly #contents: Contents;
  readonly #options: StreamOptions;
  readonly #began = performance.now();
  readonly #lines = new EventLines();
  #initial: KubeObject[] | undefined;
  #done = false;

  constructor(world: World, contents: Contents, options: StreamOptions) {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.over = promise;
    this.end = (end) => {
      this.#done = true;
      resolve(end);
    };
    this.#world = world;
    this.#contents = contents;
    this.#options = options;
    this.#initial = options.initial ? [] : undefined;
  }

  readonly follow = (part: Buffer): void => {
    for (const line of this.#lines.push(part)) if (!this.#done) this.#event(line);
  };

  readonly ended = (): void => {
    if (this.#lines.rest !== '' && !this.#world.desk.wasOn('truncate', this.#began))
      this.#complain(`the stream ended within a line: ${this.#lines.rest.slice(0, 200)}`);
    this.end({ relist: false, orderly: this.#lines.rest === '' });
  };

  readonly failed = (error: Error): void => {
    if (error instanceof WatchRefused) this.#refused(error);
    else {
      if (!this.#world.desk.explainsCut(this.#began)) this.#complain(`${error.message}, and no fault did that`);
      this.end({ relist: false, orderly: false });
    }
  };

  /** The watch is past its time limit without an end. */
  silent(): void {
    if (!this.#world.desk.explainsSilence(this.#began))
      this.#world.suspect(`${this.#options.title}: the watch is silent`);
    this.end({ relist: false, orderly: false });
  }

  #refused({ status, body, message }: WatchRefused): void {
    const text = reasonOf(body);
    const fault = this.#world.desk.behind(status, text, this.#began);
    if (status !== 410 && (fault === undefined || fault === 'none')) this.#complain(message);
    this.end({ relist: status === 410, orderly: false });
  }

  #event(line: string): void {
    this.#world.counts.events++;
    let event: WatchEvent;
    try {
      event = JSON.parse(line) as WatchEvent;
    } catch {
      this.#complain(`a whole line is no JSON: ${line.slice(0, 200)}`);
      return;
    }
    if (event.type === 'ERROR') this.#error(event.object);
    else if (this.#initial !== undefined) this.#initially(event, this.#initial);
    else {
      const complaint = this.#contents.follow(event);
      if (complaint !== undefined) this.#complain(complaint);
    }
  }

  #initially({ type, object }: WatchEvent, items: KubeObject[]): void {
    if (type === 'ADDED') items.push(object);
    else if (type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
      this.#initial = undefined;
      this.#options.take(items, revisionOf(object));
    } else this.#complain(`${type} came before the end of the initial events`);
  }

  #error(status: JsonObject): void {
    const { code, message = '' } = status as { code?: number; message?: string };
    const fault = message === 'too old resource version: 1 (2)';
    if (code !== 410 || (fault && !this.#world.desk.wasOn('gone-in-stream', this.#began)))
      this.#complain(`ERROR ${code}: ${message}`);
    this.end({ relist: true, orderly: true });
  }

  #complain(text: string): void {
    this.#world.violations.add(`${this.#options.title}: ${text}`);
    this.end({ relist: true, orderly: false });
  }
}

function reasonOf(body: string): string {
  try {
    return String((JSON.parse(body) as JsonObject)['message']);
  } catch {
    return body;
  }
}
