/**
 * `ServedKind` watches a kind that a cluster need not serve, such as CDI's or Multus' kinds. An absent kind does not
 * delay the controller; it is looked up again from time to time.
 */
import { Backoff } from '../backoff.ts';
import type { Informer, Projected } from '../informer/informer.ts';
import { sleep } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import type { ChangeHandler } from './handlers.ts';
import { watches } from './sources.ts';
import type { Sink, Source, StartedSource } from './source.ts';
import { isNotFound } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, resourceName, type ResourceType } from '../resource-type.ts';

/** As often as the fleet probes what a cluster serves. */
const lookAgainMs = 300_000;
const discoveryMs = 10_000;
const absentMs = 500;

export class ServedKind<P extends Projected> {
  readonly type: ResourceType<KubeObject>;
  readonly #cluster: Pick<Cluster, 'client'>;
  readonly #open: () => Informer<P>;
  #informer: Informer<P> | undefined;

  constructor(cluster: Pick<Cluster, 'client'>, type: ResourceType<KubeObject>, open: () => Informer<P>) {
    this.#cluster = cluster;
    this.type = type;
    this.#open = open;
  }

  /** Undefined when the kind is not served. */
  get informer(): Informer<P> | undefined {
    return this.#informer;
  }

  source(handler: ChangeHandler<P>): Source {
    return { name: resourceName(this.type), start: (sink) => this.#start(sink, handler) };
  }

  #start(sink: Sink, handler: ChangeHandler<P>): StartedSource {
    const first = Promise.withResolvers<void>();
    let trouble: string | undefined;
    let settled = false;
    const settle = (): void => {
      settled = true;
      first.resolve();
    };
    const follow = async (): Promise<void> => {
      const backoff = new Backoff({ initialMs: 500, factor: 2, maxMs: 30_000, jitter: 0.5 });
      while (!sink.signal.aborted) {
        try {
          if (await this.#find(sink.signal)) break;
          settle();
          await sleep(sink.clock, lookAgainMs, sink.signal);
        } catch (error) {
          trouble = error instanceof Error ? error.message : String(error);
          await sleep(sink.clock, backoff.take(), sink.signal);
        }
      }
      if (sink.signal.aborted) return;
      this.#informer ??= this.#open();
      await syncedOrAbsent(watches(this.#informer, handler).start(sink), sink);
      settle();
    };
    follow().catch((error: unknown) => {
      // The cluster has left and its caches with it. Any other error is a bug: the source never syncs.
      trouble = error instanceof Error ? error.message : String(error);
      if (!sink.signal.aborted) sink.log.error({ err: error, source: resourceName(this.type) }, 'kind is not watched');
    });
    return {
      get hasSynced() {
        return settled;
      },
      async synced(signal) {
        const ended = Promise.withResolvers<void>();
        const end = (): void => ended.resolve();
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { once: true });
        await Promise.race([first.promise, ended.promise]);
        signal.removeEventListener('abort', end);
      },
      trouble: () => trouble,
    };
  }

  async #find(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#cluster.client.typeOf(apiVersionOf(this.type), this.type.kind, { signal, timeoutMs: discoveryMs });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

/**
 * The kind may be removed between discovery and the first list: then nothing waits for it, and it is watched when it
 * comes back.
 */
async function syncedOrAbsent(started: StartedSource, { clock, signal }: Sink): Promise<void> {
  const known = new AbortController();
  const synced = started.synced(signal).finally(() => known.abort());
  const either = AbortSignal.any([signal, known.signal]);
  const absent = async (): Promise<void> => {
    while (!either.aborted && started.trouble() !== 'absent') await sleep(clock, absentMs, either);
  };
  await Promise.race([synced, absent()]);
}
