/** `LedgerKeeper` is one ledger with the reflectors that fill it and its handler. */
import type { Logger } from 'pino';
import { keyOf } from '../object.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { Reflector } from '../reflector/reflector.ts';
import { resourceName } from '../resource-type.ts';
import type { ResourceType } from '../resource-type.ts';
import { DeletionCheck } from '../informer/deletion-check.ts';
import { worstOf } from '../informer/health.ts';
import type { Projected, ReflectorHealth } from '../informer/informer.ts';
import { Latch } from '../informer/latch.ts';
import type { Ledger, LedgerEntry, LedgerHandler, LedgerOptions, LedgerScope } from './ledger.ts';
import { LedgerBook } from './ledger-book.ts';
import type { BookEvents } from './ledger-book.ts';
import { LedgerFeed } from './ledger-feed.ts';
import { LedgerSink } from './ledger-sink.ts';
import { named, withoutManagedFields } from '../informer/projection.ts';
import { selectsBy } from '../informer/selects.ts';
import { covers, namespacesOf, reflectorOf } from '../informer/context.ts';
import type { InformerContext } from '../informer/context.ts';

interface Scope<T extends KubeObject, F> {
  readonly namespace: string | undefined;
  readonly book: LedgerBook<T, F>;
  readonly sink: LedgerSink<T, F>;
  readonly reflector: Reflector<T>;
}

export class LedgerKeeper<T extends KubeObject, F> implements Ledger<F> {
  readonly type: ResourceType<T>;
  readonly #context: InformerContext;
  readonly #resource: string;
  readonly #log: Logger | undefined;
  readonly #handler: LedgerHandler<T, F>;
  readonly #feed: LedgerFeed;
  readonly #scopes: readonly Scope<T, F>[];
  readonly #byNamespace: ReadonlyMap<string | undefined, Scope<T, F>>;
  readonly #synced = new Latch();
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  readonly #released: (ledger: LedgerKeeper<T, F>) => void;
  #listed = false;

  constructor(
    type: ResourceType<T>,
    options: LedgerOptions<T, F>,
    context: InformerContext,
    released: (ledger: LedgerKeeper<T, F>) => void,
  ) {
    const { handler, maxPending = 256 } = options;
    this.type = type;
    this.#context = context;
    this.#released = released;
    this.#resource = resourceName(type);
    this.#handler = handler;
    this.#log = context.log?.child({ resource: this.#resource, handler: handler.name });
    this.#feed = this.#createFeed(maxPending);
    const events = this.#events(options);
    this.#scopes = namespacesOf(options).map((namespace) => this.#scope(namespace, options, events));
    this.#byNamespace = new Map(this.#scopes.map((scope) => [scope.namespace, scope]));
    context.cacheMeasures.enter(this.#resource);
    context.cacheMeasures.enter(this.#resource, handler.name);
    this.#running = Promise.all(this.#scopes.map(({ reflector }) => reflector.run(this.#stopping.signal)));
  }

  get size(): number {
    return this.#scopes.reduce((sum, { book }) => sum + book.size, 0);
  }

  get pending(): number {
    return this.#feed.pending;
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  get(key: ObjectKey): LedgerEntry<F> | undefined {
    this.#assertRuns();
    const scope = this.#byNamespace.get(undefined) ?? this.#byNamespace.get(key.namespace);
    return scope?.book.get(keyOf(key));
  }

  entries(): IterableIterator<LedgerEntry<F>> {
    this.#assertRuns();
    return this.#entries();
  }

  covers(namespace?: string): boolean {
    const scopes = this.#scopes.map((scope) => ({ namespace: scope.namespace, listed: scope.sink.synced }));
    return covers(scopes, namespace);
  }

  health(): ReflectorHealth {
    const [first, ...others] = this.#scopes.map(({ reflector }) => reflector.health());
    if (first === undefined) throw new Error('a ledger without a namespace watches nothing');
    return worstOf([first, ...others]);
  }

  scopes(): readonly LedgerScope[] {
    return this.#scopes.map(({ namespace, sink, reflector }) => ({
      ...(namespace !== undefined && { namespace }),
      covered: sink.synced,
      health: reflector.health(),
    }));
  }

  release(): void {
    this.#released(this);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#synced.fail(new Error(`the ledger of ${this.#resource} was stopped before its first list was taken`));
    await this.#running;
    const { cacheMeasures } = this.#context;
    cacheMeasures.objects(this.#resource, -this.size);
    for (const { book } of this.#scopes) book.clear();
    cacheMeasures.leave(this.#resource);
    cacheMeasures.leave(this.#resource, this.#handler.name);
  }

  /**
   * Reads throw after a stop: a caller that took the empty ledger for "everything was deleted" would destroy what still
   * exists.
   */
  #assertRuns(): void {
    if (this.#stopping.signal.aborted) throw new Error(`cannot read ${this.#resource}: the ledger was stopped`);
  }

  *#entries(): Generator<LedgerEntry<F>> {
    for (const { book } of this.#scopes)
      for (const entry of book.entries()) {
        this.#assertRuns();
        yield entry;
      }
  }

  #events({ metadataOnly, handler }: LedgerOptions<T, F>): BookEvents<T, F> {
    const { cacheMeasures } = this.#context;
    const whole = (object: T): T => named(this.type, withoutManagedFields(object), metadataOnly === true);
    return {
      changed: (object, previous, initial) => {
        if (previous === undefined) cacheMeasures.objects(this.#resource, 1);
        this.#feed.push(() => handler.changed(whole(object), previous, { initial }));
      },
      gone: (entry, finalStateUnknown) => {
        cacheMeasures.objects(this.#resource, -1);
        this.#feed.push(() => handler.gone(entry, { finalStateUnknown }));
      },
    };
  }

  #createFeed(limit: number): LedgerFeed {
    const { clock, cacheMeasures } = this.#context;
    return new LedgerFeed({
      clock,
      limit,
      signal: this.#stopping.signal,
      pending: (difference) => cacheMeasures.pending(this.#resource, this.#handler.name, difference),
      failed: (error, attempts) => {
        cacheMeasures.failed(this.#resource, this.#handler.name);
        this.#log?.error({ err: error, attempts }, 'ledger handler failed, retrying');
      },
    });
  }

  #scope(namespace: string | undefined, options: LedgerOptions<T, F>, events: BookEvents<T, F>): Scope<T, F> {
    const book = new LedgerBook(options, events);
    const { client, clock, deletionCheck } = this.#context;
    const check = new DeletionCheck<Projected>({
      client,
      type: this.type,
      selects: selectsBy(options),
      options: deletionCheck,
      clock,
      log: this.#log,
      gone: ({ metadata }) => book.removeUnchanged(keyOf(metadata), metadata.uid, metadata.resourceVersion),
    });
    const sink = new LedgerSink<T, F>({
      book,
      check,
      room: () => this.#feed.room(),
      listed: () => this.#tookList(namespace),
      failed: ({ metadata }, error) =>
        this.#log?.error({ object: keyOf(metadata), err: error }, 'cannot record object, keeping its previous version'),
    });
    const reflector = reflectorOf(
      {
        type: this.type,
        namespace,
        options: { ...options, consistent: true },
        withoutManagedFields: true,
        sink,
        failed: () => this.#looked(),
      },
      this.#context,
    );
    return { namespace, book, sink, reflector };
  }

  #tookList(namespace: string | undefined): void {
    const handler = this.#handler;
    const context = namespace === undefined ? {} : { namespace };
    if (handler.listed !== undefined) this.#feed.push(() => handler.listed?.(context));
    this.#looked();
  }

  #looked(): void {
    if (this.#listed) return;
    const done = ({ sink, reflector }: Scope<T, F>): boolean =>
      sink.synced || reflector.health().trouble === 'forbidden';
    if (!this.#scopes.every(done) || !this.#scopes.some(({ sink }) => sink.synced)) return;
    this.#listed = true;
    this.#feed.push(() => this.#synced.open());
  }
}
