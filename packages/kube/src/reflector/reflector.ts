/**
 * `Reflector` keeps a sink equal to a server's objects of one kind while it runs: it lists, watches from there, and
 * lists again when it must. state-machine.ts decides the transitions; this file carries out each state and reports the
 * result to the machine. Only a stop ends the loop, whatever fails, and no handler ever runs inside it.
 */
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { ReflectorHealth } from '../informer/informer.ts';
import { sleep, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { WatchEvent, WatchOptions } from '../client/client.ts';
import { KubeError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, resourceName } from '../resource-type.ts';
import { FailureLog } from './failure-log.ts';
import { Batches } from './batches.ts';
import { WatchCondition } from './condition.ts';
import { errorOfStatus, failureOf } from './failure.ts';
import { readList } from './list.ts';
import type { Listed } from './list.ts';
import { createStateMachine, goesBack, isStale, next } from './state-machine.ts';
import type { StateMachine, ReflectorEvent } from './state-machine.ts';
import { ReflectorMeasures } from './measures.ts';
import { reflectorDefaults } from './options.ts';
import type { ReflectorOptions } from './options.ts';
import type { Collection, ReflectorSink } from './sink.ts';
import { WatchListMemory } from './watch-list-memory.ts';

export interface ReflectorParts {
  readonly options?: Partial<ReflectorOptions>;
  readonly clock?: Clock;
  /** The cluster's logger. */
  readonly log?: Logger;
  readonly measures?: ReflectorMeasures;
  /** Shared by all reflectors of a client. */
  readonly watchLists?: WatchListMemory;
}

const initialEventsEnd = 'k8s.io/initial-events-end';

export class Reflector<T extends KubeObject> {
  readonly #what: Listed<T>;
  readonly #resource: string;
  readonly #sink: ReflectorSink<T>;
  readonly #options: ReflectorOptions;
  readonly #clock: Clock;
  readonly #log: Logger | undefined;
  readonly #account: FailureLog;
  readonly #measures: ReflectorMeasures;
  readonly #watchLists: WatchListMemory;
  readonly #backoff: Backoff;
  readonly #condition: WatchCondition;
  #machine: StateMachine;
  /** The stream of a watch-list, which continues as the watch. */
  #open: Batches<T> | undefined;
  #retryAfterMs = 0;
  #items = 0;
  /** From a server that never sends bookmarks, a quiet stream is no bad sign. */
  #bookmarked = false;

  constructor(what: Listed<T>, sink: ReflectorSink<T>, parts: ReflectorParts = {}) {
    this.#what = what;
    this.#sink = sink;
    this.#resource = resourceName(what.type);
    this.#options = { ...reflectorDefaults, ...parts.options };
    this.#clock = parts.clock ?? systemClock;
    this.#log = parts.log?.child({
      resource: this.#resource,
      ...(what.selection.namespace !== undefined && { namespace: what.selection.namespace }),
    });
    this.#account = new FailureLog(this.#log);
    this.#measures = parts.measures ?? new ReflectorMeasures(what.client.cluster);
    this.#watchLists = parts.watchLists ?? new WatchListMemory(this.#clock);
    this.#backoff = new Backoff({ random: this.#options.random, ...this.#options.backoff });
    this.#condition = new WatchCondition(this.#clock, this.#options.healthyAfterMs);
    this.#machine = createStateMachine(this.#options.watchList);
  }

  health(): ReflectorHealth {
    return this.#condition.health(this.#machine);
  }

  /** Resolves when it has been stopped. */
  async run(signal: AbortSignal): Promise<void> {
    this.#step({ type: 'start' });
    this.#show();
    while (!signal.aborted) {
      const event = await this.#act(signal);
      if (signal.aborted) break;
      this.#step(event);
      this.#show();
    }
    this.#step({ type: 'stop' });
    this.#close();
    this.#measures.forget(this.#resource, this);
  }

  async #act(signal: AbortSignal): Promise<ReflectorEvent> {
    try {
      switch (this.#machine.state) {
        case 'streaming':
          return await this.#stream(signal);
        case 'listing':
          return await this.#list(signal);
        case 'watching':
          return await this.#watch(signal);
        case 'backoff':
          return await this.#pause(signal);
        case 'idle':
        case 'stopped':
          return { type: 'stop' };
      }
    } catch (error) {
      this.#close();
      return signal.aborted ? { type: 'stop' } : this.#failed(error);
    }
  }

  #step(event: ReflectorEvent): void {
    const watchList = this.#options.watchList && this.#watchLists.isKnown(this.#what.type);
    this.#machine = next({ ...this.#machine, watchList }, event);
  }

  /** A watch with initial events, which are collected separately until the bookmark that ends them. */
  async #stream(signal: AbortSignal): Promise<ReflectorEvent> {
    const startedAt = this.#clock.now();
    const batches = await this.#openWatch(signal, { sendInitialEvents: true, resourceVersion: this.#listVersion('') });
    const collection = this.#sink.begin();
    const late = this.#clock.after(this.#options.lateBookmarkMs, () =>
      this.#log?.warn({ items: collection.size }, 'end of initial events is late'),
    );
    try {
      for (;;) {
        const batch = await batches.take(this.#options.initialSilenceMs, signal);
        if (batch === 'stopped') return { type: 'stop' };
        if (batch === 'silence') {
          // It sent what a watch without a version begins with, and then no end: the server ignores our parameters.
          if (collection.size > 0) this.#noWatchLists();
          return this.#fellSilent(this.#options.initialSilenceMs);
        }
        if (batch === 'ended') return this.#ended('the watch ended before the end of the initial events', false);
        const end = this.#collect(batch, collection);
        if (end === undefined) {
          await this.#sink.room(signal);
          continue;
        }
        batches.giveBack(batch.slice(end.at + 1));
        return await this.#commit(collection, end.resourceVersion, startedAt, signal);
      }
    } finally {
      late.cancel();
    }
  }

  /** Puts a batch of initial events into the collection; returns where they end. */
  #collect(
    batch: readonly WatchEvent<T>[],
    collection: Collection<T>,
  ): { readonly at: number; readonly resourceVersion: string } | undefined {
    this.#condition.active();
    for (const [at, event] of batch.entries()) {
      if (event.type === 'ERROR') throw errorOfStatus(event.object);
      if (event.type === 'BOOKMARK') {
        const { annotations, resourceVersion } = event.object.metadata;
        this.#bookmarked = true;
        if (annotations?.[initialEventsEnd] === 'true') return { at, resourceVersion: resourceVersion ?? '' };
        // A server with watch-list sends no earlier bookmark: this one ignores our parameters.
        throw new KubeError('BadRequest', 'the server sends no initial events: it does not know sendInitialEvents');
      }
      if (!this.#isOurs(event.object)) continue;
      if (event.type === 'DELETED') collection.remove(event.object);
      else collection.add(event.object);
    }
    return undefined;
  }

  async #list(signal: AbortSignal): Promise<ReflectorEvent> {
    const startedAt = this.#clock.now();
    const resourceVersion = this.#listVersion('0');
    const { pageSize, listTimeoutMs: timeoutMs } = this.#options;
    const request = { resourceVersion, pageSize, timeoutMs, signal };
    const list = await readList(this.#what, request, this.#sink);
    return this.#commit(list.collection, list.resourceVersion, startedAt, signal);
  }

  async #commit(
    collection: Collection<T>,
    resourceVersion: string,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<ReflectorEvent> {
    if (isStale(this.#machine, resourceVersion)) {
      this.#close();
      const { resourceVersion: seen } = this.#machine;
      return this.#failed(new StaleAnswer(`the list is of version ${resourceVersion}, and ${seen} was seen before`));
    }
    await collection.commit({ resourceVersion, backwards: goesBack(this.#machine, resourceVersion) }, signal);
    this.#items = collection.size;
    this.#measures.listed(this.#resource, (this.#clock.now() - startedAt) / 1000);
    this.#condition.listed();
    return { type: 'synced', resourceVersion };
  }

  async #watch(signal: AbortSignal): Promise<ReflectorEvent> {
    const continued = this.#open;
    const from = this.#machine.resourceVersion;
    const batches = continued ?? (await this.#openWatch(signal, { resourceVersion: from }));
    const openedAt = this.#clock.now();
    const stands = this.#clock.after(this.#options.shortWatchMs, () => this.#stands());
    try {
      for (;;) {
        const batch = await batches.take(this.#options.silenceMs, signal);
        if (batch === 'stopped') return { type: 'stop' };
        if (batch === 'silence') return this.#fellSilent(this.#options.silenceMs);
        if (batch === 'ended') {
          const brief = this.#clock.now() - openedAt < this.#options.shortWatchMs;
          const moved = this.#machine.resourceVersion !== from || continued !== undefined;
          return this.#ended('the watch ended at once', brief && !moved);
        }
        this.#applyAll(batch, from);
        await this.#sink.room(signal);
      }
    } finally {
      stands.cancel();
    }
  }

  #applyAll(batch: readonly WatchEvent<T>[], from: string): void {
    this.#condition.active();
    for (const event of batch) this.#apply(event, from);
    this.#show();
  }

  #apply(event: WatchEvent<T>, from: string): void {
    if (event.type === 'ERROR') throw errorOfStatus(event.object);
    if (event.type !== 'BOOKMARK' && !this.#isOurs(event.object)) return;
    const { resourceVersion = '' } = event.object.metadata;
    // A watch without a version begins with the existing objects in any order: their versions do not show progress.
    const synthetic = event.type === 'ADDED' && (from === '' || from === '0');
    if (!synthetic && goesBack(this.#machine, resourceVersion))
      throw new StaleAnswer(
        `an event is of version ${resourceVersion}, after ${this.#machine.resourceVersion} was seen`,
      );
    if (event.type === 'BOOKMARK') this.#bookmarked = true;
    else this.#sink.apply(event.type, event.object);
    if (synthetic || resourceVersion === '') return;
    this.#step({ type: 'progress', resourceVersion });
    this.#sink.advance(this.#machine.resourceVersion);
  }

  async #openWatch(signal: AbortSignal, options: WatchOptions): Promise<Batches<T>> {
    const [least, most] = this.#options.watchTimeoutSeconds;
    const { client, type, selection, metadataOnly, withoutManagedFields = false } = this.#what;
    const stream = await client.watch(type, {
      ...selection,
      ...options,
      ...(options.sendInitialEvents === true && { resourceVersionMatch: 'NotOlderThan' as const }),
      allowWatchBookmarks: true,
      timeoutSeconds: Math.round(least + this.#options.random() * (most - least)),
      headersTimeoutMs: this.#options.headersTimeoutMs,
      metadataOnly,
      withoutManagedFields,
      signal,
    });
    this.#measures.watched(this.#resource);
    this.#open = new Batches(stream, this.#clock);
    return this.#open;
  }

  async #pause(signal: AbortSignal): Promise<ReflectorEvent> {
    const pauseMs = Math.max(this.#backoff.take(), this.#retryAfterMs);
    this.#retryAfterMs = 0;
    await sleep(this.#clock, pauseMs, signal);
    return { type: 'timer' };
  }

  /** The version that a list is requested with: see state-machine.ts. */
  #listVersion(first: '' | '0'): string {
    const { unset, resourceVersion } = this.#machine;
    if (unset || this.#options.lists === 'consistent') return '';
    return resourceVersion === '' ? first : resourceVersion;
  }

  /** An object of another kind, or without a name, is reported and skipped: the rest of the stream is good. */
  #isOurs({ kind, apiVersion, metadata }: KubeObject): boolean {
    const { type, metadataOnly } = this.#what;
    const partial = metadataOnly && kind === 'PartialObjectMetadata';
    const ours =
      partial || ((kind ?? type.kind) === type.kind && (apiVersion ?? apiVersionOf(type)) === apiVersionOf(type));
    if (ours && typeof metadata?.name === 'string') return true;
    this.#log?.error({ kind, apiVersion }, 'skipped watch event of another kind');
    this.#measures.failed(this.#resource, 'UnexpectedKind');
    return false;
  }

  #failed(thrown: unknown): ReflectorEvent {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    let failure = error instanceof StaleAnswer ? 'stale' : failureOf(error);
    if (failure === 'unsupported' && this.#machine.state === 'streaming') {
      this.#noWatchLists();
      return { type: 'failed', failure };
    }
    if (failure === 'internal' && this.#condition.internalFor() > this.#options.internalErrorRetryMs) failure = 'other';
    if (this.#condition.failed(error, failure)) this.#backoff.reset();
    const kind = error instanceof KubeError ? error.kind : error.name;
    if (error instanceof KubeError) this.#retryAfterMs = this.#patience(error);
    this.#measures.failed(this.#resource, kind);
    const failures = this.#condition.consecutiveFailures;
    this.#account.failed({ error, kind, failure, failures, state: this.#machine.state });
    this.#report(error);
    return { type: 'failed', failure };
  }

  #noWatchLists(): void {
    this.#log?.info('server does not support watch-list, falling back to list');
    this.#watchLists.refused(this.#what.type, this.#options.watchListMemoryMs);
  }

  #ended(message: string, short: boolean): ReflectorEvent {
    this.#close();
    const early = this.#machine.state === 'streaming';
    if (!short && !early) return { type: 'ended', short };
    if (short) this.#measures.short(this.#resource);
    this.#failed(new ShortWatch(message));
    return { type: 'ended', short };
  }

  #fellSilent(limitMs: number): ReflectorEvent {
    this.#close();
    const error = new Silence(`nothing came for ${limitMs / 1000} s`);
    if (this.#bookmarked || this.#machine.state === 'streaming') this.#condition.silent(error);
    this.#measures.failed(this.#resource, error.name);
    this.#log?.warn({ state: this.#machine.state, limitMs }, 'watch silent, reopening');
    this.#report(error);
    return { type: 'silence' };
  }

  /** Honors Retry-After, up to a limit. */
  #patience({ retryAfterSeconds = 0 }: KubeError): number {
    return Math.min(retryAfterSeconds * 1000, 2 * this.#options.backoff.maxMs);
  }

  #report(error: Error): void {
    try {
      this.#options.onFailure?.(error);
    } catch (thrown) {
      this.#log?.error({ err: thrown }, 'watch failure handler failed');
    }
  }

  #stands(): void {
    this.#condition.works();
    this.#show();
  }

  #show(): void {
    const { synced, consecutiveFailures, activeAt } = this.#condition;
    if (consecutiveFailures === 0) this.#account.works();
    const age = activeAt === undefined ? undefined : this.#clock.now() - activeAt;
    const at = age === undefined ? undefined : (this.#clock.date().getTime() - age) / 1000;
    this.#measures.set(this.#resource, this, { synced, consecutiveFailures, activeAt: at, items: this.#items });
  }

  #close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}

class StaleAnswer extends Error {
  override readonly name = 'StaleAnswer';
}
class ShortWatch extends Error {
  override readonly name = 'ShortWatch';
}
class Silence extends Error {
  override readonly name = 'Silence';
}
