/**
 * `Engagement` is one cluster's part in a controller: its sources, and whether they have enqueued everything that
 * existed at the start.
 */
import type { Logger } from 'pino';
import type { Clock, Timer } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import type { AddOptions } from '../queue/queue.ts';
import type { Request } from './request.ts';
import type { Source, StartedSource } from './source.ts';

export interface SourceHealth {
  readonly cluster: string;
  readonly source: string;
  readonly synced: boolean;
  readonly trouble: string | undefined;
}

export class CacheSyncTimeout extends Error {
  override readonly name = 'CacheSyncTimeout';
}

export interface EngagementOptions {
  readonly controller: string;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sources: (cluster: Cluster) => readonly Source[];
  readonly syncTimeoutMs: number;
  readonly enqueue: (request: Request, options?: AddOptions) => boolean;
  synced(): void;
  /**
   * Called at the first timeout and again after each further one while it waits; once when a source cannot work at all.
   */
  failed(error: Error, unsynced: readonly SourceHealth[]): void;
}

interface Running {
  readonly name: string;
  readonly source: StartedSource;
}

export class Engagement {
  readonly cluster: Cluster;
  readonly #options: EngagementOptions;
  readonly #end = new AbortController();
  readonly #warm = Promise.withResolvers<void>();
  #made: readonly Source[] | undefined;
  #sources: readonly Running[] = [];
  /** Aborted when the sources must end. */
  #run: AbortController | undefined;
  #timer: Timer | undefined;
  #synced = false;

  constructor(options: EngagementOptions) {
    this.cluster = options.cluster;
    this.#options = options;
  }

  /** Resolves when the sources have synced, timed out or ended. Never rejects. */
  get warm(): Promise<void> {
    return this.#warm.promise;
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  get synced(): boolean {
    return this.#synced;
  }

  start(): void {
    if (this.#run === undefined) this.restart();
  }

  /** Starts the sources again: they enqueue everything that exists. */
  restart(): void {
    if (this.#end.signal.aborted) return;
    this.#run?.abort();
    this.#timer?.cancel();
    this.#synced = false;
    this.#run = new AbortController();
    const { signal } = this.#run;
    const { controller, clock, log, cluster, enqueue } = this.#options;
    const sink = { controller, cluster: cluster.name, clock, log, signal, enqueue };
    try {
      this.#made ??= this.#options.sources(cluster);
      this.#sources = this.#made.map((source) => ({ name: source.name, source: source.start(sink) }));
    } catch (error) {
      this.#fail(new Error(`${this.#subject()}: a source failed to start`, { cause: error }));
      return;
    }
    this.#wind();
    void this.#follow(signal);
  }

  end(): void {
    this.#end.abort();
    this.#run?.abort();
    this.#timer?.cancel();
    this.#warm.resolve();
  }

  health(): readonly SourceHealth[] {
    return this.#sources.map(({ name, source }) => ({
      cluster: this.cluster.name,
      source: name,
      synced: source.hasSynced,
      trouble: source.trouble(),
    }));
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      await Promise.all(this.#sources.map(({ source }) => source.synced(signal)));
    } catch (error) {
      if (!signal.aborted) this.#fail(new Error(`${this.#subject()}: a source ended`, { cause: error }));
      return;
    }
    if (signal.aborted) return;
    this.#timer?.cancel();
    this.#synced = true;
    this.#options.synced();
    this.#warm.resolve();
  }

  #wind(): void {
    const { clock, syncTimeoutMs } = this.#options;
    this.#timer = clock.after(syncTimeoutMs, () => {
      this.#wind();
      const unsynced = this.health().filter(({ synced }) => !synced);
      const names = unsynced.map(({ source, trouble }) => (trouble === undefined ? source : `${source} (${trouble})`));
      this.#fail(new CacheSyncTimeout(`${this.#subject()} within ${syncTimeoutMs / 1000} s: ${names.join(', ')}`));
    });
  }

  #fail(error: Error): void {
    this.#options.failed(
      error,
      this.health().filter(({ synced }) => !synced),
    );
    this.#warm.resolve();
  }

  #subject(): string {
    return `cannot sync the sources of controller "${this.#options.controller}" in cluster "${this.cluster.name}"`;
  }
}
