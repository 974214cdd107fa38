/** WATCH: a stream of lines from a revision, filtered by a selector, with bookmarks and a time limit. */
import { parseEntry, toEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent, StoreTable } from '../../store/table.ts';
import type { Context } from './context.ts';
import type { Output } from './request/negotiate.ts';
import { parseRevision } from './list.ts';
import type { ListOptions } from './request/options.ts';
import { entryText, eventLine, watchLine } from './present.ts';
import { internalError, warningHeaders } from './render.ts';
import type { Resource } from './resource.ts';
import type { Selection } from './select.ts';
import { errors, StatusError } from './status.ts';

export interface WatchTimes {
  /** The minimum duration of a watch when the client sets none; like kube-apiserver, up to twice that is used. */
  readonly minimum: number;
  readonly bookmarkEvery: number;
}

export const WATCH_TIMES: WatchTimes = { minimum: 1_800_000, bookmarkEvery: 60_000 };

/**
 * A reader that is this far behind is disconnected, as in kube-apiserver: it can resume, and the server's memory is
 * limited.
 */
const MAX_BACKLOG = 32 * 1024 * 1024;
/**
 * Initial events wait for their reader at this size. They may exceed any backlog, and after a disconnect they would
 * only start again.
 */
const INITIAL_BACKLOG = 1024 * 1024;

export interface WatchDeps {
  readonly store: Store;
  readonly times: WatchTimes;
  /** Converts an object's text to the requested form (Table, metadata only). */
  transform(resource: Resource, output: Output, context: Context): (text: string, first: boolean) => string;
  /** An object of this kind that contains only its type, for bookmarks. */
  empty(resource: Resource, revision: number, annotations: Record<string, string> | undefined): string;
}

export class Watch {
  readonly #deps: WatchDeps;
  readonly #context: Context;
  readonly #resource: Resource;
  readonly #prefix: string;
  readonly #wanted: Selection;
  readonly #options: ListOptions;
  readonly #transform: ((text: string, first: boolean) => string) | undefined;
  #seen = 0;
  #sent = 0;
  #ended = false;
  readonly #cleanup: (() => void)[] = [];

  constructor(
    deps: WatchDeps,
    context: Context,
    resource: Resource,
    namespace: string,
    options: ListOptions,
    wanted: Selection,
    output: Output,
  ) {
    this.#deps = deps;
    this.#context = context;
    this.#resource = resource;
    this.#prefix = namespace === '' ? '' : `${namespace}/`;
    this.#wanted = wanted;
    this.#options = options;
    this.#transform = output.as === 'Object' ? undefined : deps.transform(resource, output, context);
  }

  /**
   * Starts with the state at one revision. The event window keeps what happens while that is sent, so no event is lost.
   */
  start(): void {
    if (this.#context.signal.aborted) return;
    const { store } = this.#deps;
    const asked = parseRevision(this.#options.resourceVersion);
    const initial = this.#options.sendInitialEvents ?? (asked === undefined || asked === 0);
    const table = store.table(this.#resource.table);
    const startAt = initial || asked === undefined || asked === 0 ? store.revision : asked;
    this.#open();
    this.#seen = startAt;
    const life = this.#startClock();
    const follow = (): void => this.#follow(table, startAt, life);
    if (initial) this.#sendInitial([...table.range(this.#prefix)], 0, follow);
    else follow();
  }

  /** Sends everything after a revision up to the last known event, without yielding to the event loop. */
  #follow(table: StoreTable, from: number, life: number): void {
    const replay = table.since(from);
    if (replay === undefined) {
      this.#sendError(errors.expired(`too old resource version: ${from} (${table.oldestRevision})`));
      return;
    }
    for (const event of replay) this.#onEvent(event);
    // The reader may have been disconnected while the events were sent.
    if (this.#ended) return;
    this.#cleanup.push(table.listen((event) => this.#onEvent(event)));
    this.#startBookmarks(life);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#cleanup) stop();
    this.#context.response.end();
  }

  #open(): void {
    const { response, signal } = this.#context;
    const headers: Record<string, string | string[]> = {
      'Cache-Control': 'no-cache, private',
      'Content-Type': 'application/json',
    };
    const warnings = warningHeaders(this.#context);
    if (warnings.length > 0) headers['Warning'] = warnings;
    response.writeHead(200, headers);
    response.flushHeaders();
    const stop = (): void => this.end();
    this.#cleanup.push(this.#deps.store.onReset(stop));
    for (const ending of [signal, this.#resource.retired]) {
      ending?.addEventListener('abort', stop, { once: true });
      this.#cleanup.push(() => ending?.removeEventListener('abort', stop));
    }
  }

  #sendInitial(entries: readonly Entry[], from: number, done: () => void): void {
    const { response } = this.#context;
    for (let i = from; i < entries.length && !this.#ended; i++) {
      const entry = entries[i] as Entry;
      this.#safely(() => {
        if (this.#wanted.matches(entry)) this.#sendText('ADDED', entryText(this.#resource, entry));
      });
      if (response.writableLength > INITIAL_BACKLOG) {
        response.once('drain', () => this.#sendInitial(entries, i + 1, done));
        return;
      }
    }
    if (this.#ended) return;
    if (this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks) {
      this.#bookmark(this.#seen, { 'k8s.io/initial-events-end': 'true' });
    }
    done();
  }

  /** Returns the duration of the watch in milliseconds. */
  #startClock(): number {
    const seconds = this.#options.timeoutSeconds ?? 0;
    const life = seconds > 0 ? seconds * 1000 : this.#deps.times.minimum * (1 + Math.random());
    const timeout = setTimeout(() => this.end(), Math.min(life, 0x7fffffff));
    this.#cleanup.push(() => clearTimeout(timeout));
    return life;
  }

  #startBookmarks(life: number): void {
    if (!this.#options.allowWatchBookmarks) return;
    const bookmark = (): void => this.#bookmark(this.#deps.store.revision);
    // One more bookmark comes just before the end, so that the client resumes from a recent revision.
    const last = setTimeout(bookmark, Math.min(Math.max(life - 2000, 0), 0x7fffffff));
    const periodic = setInterval(bookmark, this.#deps.times.bookmarkEvery);
    this.#cleanup.push(
      () => clearTimeout(last),
      () => clearInterval(periodic),
    );
  }

  #bookmark(revision: number, annotations?: Record<string, string>): void {
    this.#seen = Math.max(this.#seen, revision);
    this.#safely(() => this.#sendText('BOOKMARK', this.#deps.empty(this.#resource, revision, annotations)));
  }

  /** An object that cannot be converted ends this watch; the writer and other watches continue. */
  #safely(send: () => void): void {
    try {
      send();
    } catch (error) {
      this.#sendError(error instanceof StatusError ? error : internalError(error));
    }
  }

  #onEvent(event: StoreEvent): void {
    this.#safely(() => this.#sendEvent(event));
  }

  #sendEvent(event: StoreEvent): void {
    if (this.#ended || event.revision <= this.#seen || !event.entry.key.startsWith(this.#prefix)) return;
    this.#seen = event.revision;
    if (this.#wanted.everything && this.#transform === undefined) {
      this.#write(eventLine(this.#resource, event));
      return;
    }
    const now = event.type !== 'DELETED' && this.#wanted.matches(event.entry);
    const before = event.previous !== undefined && this.#wanted.matches(event.previous);
    if (now) this.#sendText(before ? 'MODIFIED' : 'ADDED', entryText(this.#resource, event.entry));
    else if (before) this.#sendText('DELETED', this.#lastText(event));
  }

  /** An object that left the selection is sent in its previous form, with the revision of the change. */
  #lastText(event: StoreEvent): string {
    if (event.type === 'DELETED' || event.previous === undefined) return entryText(this.#resource, event.entry);
    return entryText(this.#resource, toEntry(parseEntry(event.previous), event.revision));
  }

  #sendText(type: string, text: string): void {
    this.#write(watchLine(type, this.#transform === undefined ? text : this.#transform(text, this.#sent === 0)));
  }

  #sendError(error: StatusError): void {
    this.#write(watchLine('ERROR', JSON.stringify(error.toStatus())));
    this.end();
  }

  #write(line: Buffer): void {
    if (this.#ended) return;
    this.#sent++;
    const { response } = this.#context;
    response.write(line);
    if (response.writableLength > MAX_BACKLOG) this.end();
  }
}
