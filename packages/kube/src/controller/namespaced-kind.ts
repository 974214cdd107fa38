/**
 * `NamespacedKind` watches a kind only in the namespaces that are in use, because permissions are granted per
 * namespace. Each namespace has its own informer, which is opened on first use. A namespace that we may not read does
 * not delay the others.
 */
import type { Informer, Projected } from '../informer/informer.ts';
import { sleep, systemClock, type Clock } from '../clock.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import { resourceName, type ResourceType } from '../resource-type.ts';
import type { ChangeHandler, Target } from './handlers.ts';
import type { Sink, Source } from './source.ts';
import { watches } from './sources.ts';

const pollMs = 20;

export interface SourceOptions<P extends Projected> {
  readonly handler: ChangeHandler<P>;
  /** The targets to enqueue when a requested namespace becomes readable. */
  readonly opened: (namespace: string) => Iterable<Target>;
}

interface Started<P extends Projected> {
  readonly sink: Sink;
  readonly options: SourceOptions<P>;
}

export class NamespacedKind<P extends Projected> {
  readonly type: ResourceType<KubeObject>;
  readonly #open: (namespace: string) => Informer<P>;
  readonly #clock: Clock;
  readonly #informers = new Map<string, Informer<P>>();
  readonly #started = new Set<Started<P>>();

  constructor(type: ResourceType<KubeObject>, open: (namespace: string) => Informer<P>, clock: Clock = systemClock) {
    this.type = type;
    this.#open = open;
    this.#clock = clock;
  }

  /** The namespaces that are watched, readable or not. */
  get namespaces(): readonly string[] {
    return [...this.#informers.keys()];
  }

  get({ namespace = '', name }: ObjectKey): P | undefined {
    return this.#informers.get(namespace)?.get({ namespace, name });
  }

  /** Searches all watched namespaces. */
  byIndex(index: string, value: string): readonly P[] {
    return [...this.#informers.values()].flatMap((informer) => informer.byIndex(index, value));
  }

  /** Resolves to whether we may read the namespace, once that is known; if so, its objects are in the cache. */
  async isOpen(namespace: string, signal: AbortSignal): Promise<boolean> {
    const informer = this.#follow(namespace);
    for (;;) {
      if (informer.health().trouble === 'forbidden') return false;
      if (informer.hasSynced) return true;
      signal.throwIfAborted();
      await sleep(this.#clock, pollMs, signal);
    }
  }

  /** Stops watching the namespace. */
  release(namespace: string): void {
    this.#informers.get(namespace)?.release();
    this.#informers.delete(namespace);
  }

  source(options: SourceOptions<P>): Source {
    return {
      name: resourceName(this.type),
      start: (sink) => {
        const started = { sink, options };
        this.#started.add(started);
        sink.signal.addEventListener('abort', () => this.#started.delete(started), { once: true });
        for (const [namespace, informer] of this.#informers) listen(started, namespace, informer);
        return { hasSynced: true, synced: () => Promise.resolve(), trouble: () => undefined };
      },
    };
  }

  #follow(namespace: string): Informer<P> {
    const known = this.#informers.get(namespace);
    if (known !== undefined) return known;
    const informer = this.#open(namespace);
    this.#informers.set(namespace, informer);
    for (const started of this.#started) listen(started, namespace, informer);
    return informer;
  }
}

function listen<P extends Projected>(
  { sink, options: { handler, opened } }: Started<P>,
  namespace: string,
  informer: Informer<P>,
): void {
  watches(informer, handler).start(sink);
  const wake = (): void => {
    for (const target of opened(namespace)) sink.enqueue({ cluster: sink.cluster, ...target });
  };
  // An informer that is released before it synced enqueues nothing.
  informer.synced(sink.signal).then(
    () => (sink.signal.aborted ? undefined : wake()),
    () => undefined,
  );
}
