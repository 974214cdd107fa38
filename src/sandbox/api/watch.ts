/** WATCH: a stream of lines from a revision on, filtered by a selector, with bookmarks and a time limit. */
import type { Entry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { StoreEvent } from '../store/table.ts';
import type { Context } from './context.ts';
import type { Output } from './negotiate.ts';
import { parseRevision } from './list.ts';
import type { ListOptions } from './options.ts';
import { entryText, eventLine, watchLine } from './present.ts';
import { warningHeaders } from './render.ts';
import type { Resource } from './resource.ts';
import type { Selection } from './select.ts';
import { errors, type StatusError } from './status.ts';

export interface WatchTimes {
  /** How long a watch lives at least when the client names no time; kube-apiserver takes up to twice that. */
  readonly minimum: number;
  readonly bookmarkEvery: number;
}

export const WATCH_TIMES: WatchTimes = { minimum: 1_800_000, bookmarkEvery: 60_000 };

/** A reader that is this far behind is cut off, as kube-apiserver does: it can resume, the server's memory cannot. */
const MAX_BACKLOG = 32 * 1024 * 1024;

export interface WatchDeps {
  readonly store: Store;
  readonly times: WatchTimes;
  /** Turns an object's text into what the client asked for (Table, metadata only). */
  transform(resource: Resource, output: Output, context: Context): (text: string, first: boolean) => string;
  /** An object of this kind with nothing in it but its type, for bookmarks. */
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

  constructor(deps: WatchDeps, context: Context, resource: Resource, namespace: string, options: ListOptions, wanted: Selection, output: Output) {
    this.#deps = deps;
    this.#context = context;
    this.#resource = resource;
    this.#prefix = namespace === '' ? '' : `${namespace}/`;
    this.#wanted = wanted;
    this.#options = options;
    this.#transform = output.as === 'Object' ? undefined : deps.transform(resource, output, context);
  }

  /** Everything happens in this one turn of the event loop up to the last known event, so nothing can fall between. */
  start(): void {
    const { store } = this.#deps;
    const asked = parseRevision(this.#options.resourceVersion);
    const initial = this.#options.sendInitialEvents ?? (asked === undefined || asked === 0);
    const table = store.table(this.#resource.table);
    const startAt = initial || asked === undefined || asked === 0 ? store.revision : asked;
    const replay = initial ? [] : table.since(startAt);
    this.#open();
    if (replay === undefined) {
      this.#sendError(errors.expired(`too old resource version: ${startAt} (${table.oldestRevision})`));
      return;
    }
    this.#seen = startAt;
    if (initial) this.#sendInitial(table.range(this.#prefix));
    for (const event of replay) this.#onEvent(event);
    this.#cleanup.push(table.listen((event) => this.#onEvent(event)));
    this.#startClocks();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#cleanup) stop();
    this.#context.response.end();
  }

  #open(): void {
    const { response, signal } = this.#context;
    const headers: Record<string, string | string[]> = { 'Cache-Control': 'no-cache, private', 'Content-Type': 'application/json' };
    const warnings = warningHeaders(this.#context);
    if (warnings.length > 0) headers['Warning'] = warnings;
    response.writeHead(200, headers);
    response.flushHeaders();
    const stop = (): void => this.end();
    signal.addEventListener('abort', stop, { once: true });
    this.#cleanup.push(() => signal.removeEventListener('abort', stop));
  }

  #sendInitial(entries: Iterable<Entry>): void {
    for (const entry of entries) {
      if (this.#wanted.matches(entry)) this.#sendText('ADDED', entryText(this.#resource, entry));
    }
    if (this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks) {
      this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
    }
  }

  #startClocks(): void {
    const { minimum, bookmarkEvery } = this.#deps.times;
    const seconds = this.#options.timeoutSeconds ?? 0;
    const life = seconds > 0 ? seconds * 1000 : minimum * (1 + Math.random());
    const timeout = setTimeout(() => this.end(), Math.min(life, 0x7fffffff));
    this.#cleanup.push(() => clearTimeout(timeout));
    if (!this.#options.allowWatchBookmarks) return;
    // One comes just before the end as well, so that the client resumes from as late as possible.
    const last = setTimeout(() => this.#bookmark(undefined), Math.max(life - 2000, 0));
    const periodic = setInterval(() => this.#bookmark(undefined), bookmarkEvery);
    this.#cleanup.push(() => clearTimeout(last), () => clearInterval(periodic));
  }

  #bookmark(annotations: Record<string, string> | undefined): void {
    this.#seen = Math.max(this.#seen, this.#deps.store.revision);
    this.#sendText('BOOKMARK', this.#deps.empty(this.#resource, this.#deps.store.revision, annotations));
  }

  #onEvent(event: StoreEvent): void {
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

  /** What left the selection is shown as it was, at the revision of the change. */
  #lastText(event: StoreEvent): string {
    if (event.type === 'DELETED' || event.previous === undefined) return entryText(this.#resource, event.entry);
    const { previous } = event;
    const text = entryText(this.#resource, previous);
    return text.replace(`"resourceVersion":"${previous.revision}"`, `"resourceVersion":"${event.revision}"`);
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
