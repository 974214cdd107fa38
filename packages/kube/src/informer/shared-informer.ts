/** `SharedInformer` is one cache with its reflectors and handlers. Each user holds a handle to it (informers.ts). */
import type { Logger } from 'pino';
import { keyOf } from '../object.ts';
import type { KubeObject } from '../object.ts';
import type { Reflector } from '../reflector/reflector.ts';
import { resourceName } from '../resource-type.ts';
import type { ResourceType } from '../resource-type.ts';
import { DeletionCheck } from './deletion-check.ts';
import { worstOf } from './health.ts';
import type { Handler, InformerOptions, Projected, Projection, ReflectorHealth } from './informer.ts';
import { createIngest } from './ingest.ts';
import type { Ingest } from './ingest.ts';
import { Latch } from './latch.ts';
import { Listener } from './listener.ts';
import type { Notification } from './notification.ts';
import { Partition } from './partition.ts';
import { PartitionSink } from './partition-sink.ts';
import { selectsBy } from './selects.ts';
import type { Selects } from './selects.ts';
import { Store } from './store.ts';
import { covers, namespacesOf, reflectorOf } from './context.ts';
import type { InformerContext } from './context.ts';

interface Scope<T extends KubeObject, P extends Projected> {
  readonly namespace: string | undefined;
  readonly partition: Partition<P>;
  readonly reflector: Reflector<T>;
}

export class SharedInformer<T extends KubeObject, P extends Projected> {
  readonly type: ResourceType<T>;
  readonly store: Store<P>;
  readonly #context: InformerContext;
  readonly #resource: string;
  readonly #log: Logger | undefined;
  readonly #selects: Selects;
  readonly #ingest: Ingest<T, P>;
  readonly #scopes: readonly Scope<T, P>[];
  readonly #listeners = new Set<Listener<P>>();
  readonly #synced = new Latch();
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(type: ResourceType<T>, options: InformerOptions, projection: Projection<T, P>, context: InformerContext) {
    this.type = type;
    this.#context = context;
    this.#resource = resourceName(type);
    this.#log = context.log?.child({ resource: this.#resource });
    this.#selects = selectsBy(options);
    this.store = new Store((index, error) => this.#log?.error({ index, err: error }, 'cannot compute index'));
    this.#ingest = createIngest({
      type,
      projection,
      metadataOnly: options.metadataOnly === true,
      freeze: context.freeze,
      failed: ({ metadata }, error) =>
        this.#log?.error(
          { object: keyOf(metadata), err: error },
          'cannot project object, keeping its previous version',
        ),
    });
    this.#scopes = namespacesOf(options).map((namespace) => this.#scope(namespace, options));
    context.cacheMeasures.enter(this.#resource);
    this.#running = Promise.all(this.#scopes.map(({ reflector }) => reflector.run(this.#stopping.signal)));
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  covers(namespace: string | undefined): boolean {
    const scopes = this.#scopes.map((scope) => ({ namespace: scope.namespace, listed: scope.partition.synced }));
    return covers(scopes, namespace);
  }

  health(): ReflectorHealth {
    const [first, ...others] = this.#scopes.map(({ reflector }) => reflector.health());
    if (first === undefined) throw new Error('an informer without a namespace watches nothing');
    return worstOf([first, ...others]);
  }

  /** Entries kept for own writes in addition to the objects, for tests and benchmarks. */
  get remembered(): number {
    return this.#scopes.reduce((sum, { partition }) => sum + partition.remembered, 0);
  }

  /** Throws when the informer has stopped. */
  assertRuns(): void {
    if (this.#stopping.signal.aborted) throw new Error(`cannot read ${this.#resource}: the informer was stopped`);
  }

  addListener(handler: Handler<P>): Listener<P> {
    this.assertRuns();
    const { cacheMeasures } = this.#context;
    cacheMeasures.enter(this.#resource, handler.name);
    const listener = new Listener(handler, {
      pending: (difference) => cacheMeasures.pending(this.#resource, handler.name, difference),
      failed: (error) => {
        cacheMeasures.failed(this.#resource, handler.name);
        this.#log?.error({ handler: handler.name, err: error }, 'event handler failed');
      },
    });
    this.#listeners.add(listener);
    for (const object of this.store.list()) listener.tell({ type: 'added', object, initial: true });
    if (this.hasSynced) listener.markSynced();
    return listener;
  }

  removeListener(listener: Listener<P>): void {
    if (!this.#listeners.delete(listener)) return;
    listener.remove();
    this.#context.cacheMeasures.leave(this.#resource, listener.name);
  }

  /** Applies the answer to an own write. */
  written(object: T): void {
    const partition = this.#partitionOf(object.metadata.namespace);
    const selected = partition === undefined ? undefined : this.#selects(object);
    if (partition === undefined || selected === undefined) return;
    if (isGone(object)) {
      if (object.metadata.uid !== undefined) partition.deleted(keyOf(object.metadata), object.metadata.uid);
      return;
    }
    const projected = this.#ingest(object);
    if (projected === undefined) return;
    if (selected) partition.written(projected);
    else partition.left(projected);
  }

  /** Applies the answer to an own deletion. */
  deleted(key: { readonly namespace?: string; readonly name: string }, uid: string): void {
    this.#partitionOf(key.namespace)?.deleted(keyOf(key), uid);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#synced.fail(new Error(`the informer of ${this.#resource} was stopped before its first list`));
    for (const listener of this.#listeners) this.removeListener(listener);
    await this.#running;
    this.#context.cacheMeasures.objects(this.#resource, -this.store.size);
    this.store.clear();
    this.#context.cacheMeasures.leave(this.#resource);
  }

  #scope(namespace: string | undefined, options: InformerOptions): Scope<T, P> {
    const { client, clock, deletionCheck } = this.#context;
    const partition = new Partition<P>(this.store, namespace, (notification) => this.#tell(notification));
    const check = new DeletionCheck<P>({
      client,
      type: this.type,
      selects: this.#selects,
      options: deletionCheck,
      clock,
      log: this.#log,
      gone: (object) => partition.confirmedGone(object),
    });
    const sink = new PartitionSink(partition, this.#ingest, check, () => this.#looked());
    const scope = { type: this.type, namespace, options, sink, failed: () => this.#looked() };
    return { namespace, partition, reflector: reflectorOf(scope, this.#context) };
  }

  #partitionOf(namespace: string | undefined): Partition<P> | undefined {
    return this.#scopes.find((scope) => scope.namespace === undefined || scope.namespace === namespace)?.partition;
  }

  #tell(notification: Notification<P>): void {
    const { cacheMeasures } = this.#context;
    if (notification.type === 'added') cacheMeasures.objects(this.#resource, 1);
    if (notification.type === 'deleted') cacheMeasures.objects(this.#resource, -1);
    for (const listener of this.#listeners) listener.tell(notification);
  }

  /** A list came or a reflector failed: checks whether the informer has synced. */
  #looked(): void {
    if (this.hasSynced) return;
    const healths = this.#scopes.map(({ reflector }) => reflector.health());
    if (!this.#scopes.every(({ partition }, at) => partition.synced || healths[at]?.trouble === 'forbidden')) return;
    // A namespace that we may not read must not block the work in the others.
    if (!this.#scopes.some(({ partition }) => partition.synced)) return;
    this.#synced.open();
    for (const listener of this.#listeners) listener.markSynced();
  }
}

/**
 * The server deletes an object in the write that removes the last reason to keep it, and answers with its final state.
 */
function isGone({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  const grace = (metadata as { readonly deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds;
  return deletionTimestamp !== undefined && finalizers.length === 0 && grace === 0;
}
