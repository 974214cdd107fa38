/**
 * `Informers` holds all caches of a cluster. Callers with equal options share an informer; it stops when the last of
 * them releases it.
 */
import type { Logger } from 'pino';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Client } from '../client/client.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import { ReflectorMeasures } from '../reflector/measures.ts';
import type { ReflectorOptions } from '../reflector/options.ts';
import { WatchListMemory } from '../reflector/watch-list-memory.ts';
import { apiVersionOf, resourceName } from '../resource-type.ts';
import type { ResourceType } from '../resource-type.ts';
import { CacheMeasures } from './cache-measures.ts';
import { deletionCheckDefaults } from './deletion-check.ts';
import type { DeletionCheckOptions } from './deletion-check.ts';
import { freezesByDefault } from './freeze.ts';
import type { Informer, InformerOptions, Projected, Projection, ReflectorHealth } from './informer.ts';
import { InformerHandle } from './informer-handle.ts';
import type { Ledger, LedgerOptions } from '../ledger/ledger.ts';
import { LedgerKeeper } from '../ledger/ledger-keeper.ts';
import { wholeObject } from './projection.ts';
import { SharedInformer } from './shared-informer.ts';
import type { InformerContext } from './context.ts';

export interface InformersOptions {
  readonly client: Client;
  readonly metrics?: Metrics;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly reflector?: Partial<ReflectorOptions>;
  /** Whether objects are checked one by one when a list lacks many of them. On by default. */
  readonly confirmMassDeletion?: boolean | Partial<DeletionCheckOptions>;
  /** Whether cached objects are deeply frozen. By default only under the test runner. */
  readonly freeze?: boolean;
}

export interface InformerHealth {
  /** For example `virtualmachines.kubevirt.io`. */
  readonly resource: string;
  readonly health: ReflectorHealth;
}

export interface Informers {
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options?: InformerOptions & { readonly projection?: undefined },
  ): Informer<T>;
  informer<T extends KubeObject, P extends Projected>(
    type: ResourceType<T>,
    options: InformerOptions & { readonly projection: Projection<T, P> },
  ): Informer<P>;
  /** Creates a ledger. Ledgers are not shared: each has its own handler. */
  ledger<T extends KubeObject, F>(type: ResourceType<T>, options: LedgerOptions<T, F>): Ledger<F>;
  /** Puts the answer to an own write into the caches, synchronously. */
  written(type: ResourceType<KubeObject>, object: KubeObject): void;
  /** Records that an own deletion left nothing: no cache shows that uid again. */
  deleted(type: ResourceType<KubeObject>, key: ObjectKey, uid: string): void;
  healths(): readonly InformerHealth[];
  /** Stops all watches and empties the caches. */
  stop(): Promise<void>;
}

export function createInformers(options: InformersOptions): Informers {
  return new ClusterInformers(options);
}

type AnyShared = SharedInformer<KubeObject, Projected>;

interface Lent {
  readonly shared: AnyShared;
  handles: number;
}

class ClusterInformers implements Informers {
  readonly #context: InformerContext;
  readonly #lent = new Map<string, Lent>();
  readonly #ledgers = new Set<LedgerKeeper<never, unknown>>();
  readonly #stopping = new Set<Promise<void>>();
  #stopped = false;

  constructor({ client, metrics, log, clock = systemClock, reflector = {}, ...options }: InformersOptions) {
    const { confirmMassDeletion = true, freeze = freezesByDefault } = options;
    const deletionCheck =
      typeof confirmMassDeletion === 'boolean'
        ? { ...deletionCheckDefaults, enabled: confirmMassDeletion }
        : { ...deletionCheckDefaults, ...confirmMassDeletion };
    this.#context = {
      client,
      clock,
      log,
      reflector,
      deletionCheck,
      freeze,
      reflectorMeasures: new ReflectorMeasures(client.cluster, metrics),
      cacheMeasures: new CacheMeasures(client.cluster, metrics),
      watchLists: new WatchListMemory(clock),
    };
  }

  informer<T extends KubeObject, P extends Projected>(
    type: ResourceType<T>,
    options: InformerOptions & { readonly projection?: Projection<T, P> | undefined } = {},
  ): Informer<P> {
    this.#refuseWhenStopped();
    // Without a projection the cache holds complete objects: the overloads guarantee that P is T then.
    const projection = options.projection ?? (wholeObject<T>() as unknown as Projection<T, P>);
    const id = identity(type, options, projection.name);
    const lent = this.#lent.get(id) ?? this.#lend(id, new SharedInformer(type, options, projection, this.#context));
    lent.handles++;
    // The projection's name is part of the identity, so all users of the informer have the same P.
    return new InformerHandle(lent.shared as unknown as SharedInformer<T, P>, {
      clock: this.#context.clock,
      random: this.#context.reflector.random ?? Math.random,
      resyncMs: options.resyncMs,
      released: () => this.#release(id, lent),
    });
  }

  ledger<T extends KubeObject, F>(type: ResourceType<T>, options: LedgerOptions<T, F>): Ledger<F> {
    this.#refuseWhenStopped();
    const ledger = new LedgerKeeper(type, options, this.#context, (released) => {
      if (this.#ledgers.delete(released as unknown as LedgerKeeper<never, unknown>)) this.#end(released.stop());
    });
    this.#ledgers.add(ledger as unknown as LedgerKeeper<never, unknown>);
    return ledger;
  }

  written(type: ResourceType<KubeObject>, object: KubeObject): void {
    for (const { shared } of this.#lent.values()) if (isSame(shared.type, type)) shared.written(object);
  }

  deleted(type: ResourceType<KubeObject>, key: ObjectKey, uid: string): void {
    for (const { shared } of this.#lent.values()) if (isSame(shared.type, type)) shared.deleted(key, uid);
  }

  healths(): readonly InformerHealth[] {
    const all = [...[...this.#lent.values()].map(({ shared }) => shared), ...this.#ledgers];
    return all.map((one) => ({ resource: resourceName(one.type), health: one.health() }));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const [id, { shared }] of this.#lent) {
      this.#lent.delete(id);
      this.#end(shared.stop());
    }
    for (const ledger of this.#ledgers) ledger.release();
    await Promise.all(this.#stopping);
    this.#context.reflectorMeasures.close();
    this.#context.cacheMeasures.close();
  }

  #lend<T extends KubeObject, P extends Projected>(id: string, shared: SharedInformer<T, P>): Lent {
    const lent: Lent = { shared: shared as unknown as AnyShared, handles: 0 };
    this.#lent.set(id, lent);
    return lent;
  }

  #release(id: string, lent: Lent): void {
    lent.handles--;
    if (lent.handles > 0 || this.#lent.get(id) !== lent) return;
    this.#lent.delete(id);
    this.#end(lent.shared.stop());
  }

  #end(stopping: Promise<void>): void {
    const ended = stopping.finally(() => this.#stopping.delete(ended));
    this.#stopping.add(ended);
  }

  #refuseWhenStopped(): void {
    if (this.#stopped) throw new Error(`the caches of the cluster "${this.#context.client.cluster}" were stopped`);
  }
}

function identity(type: ResourceType<KubeObject>, options: InformerOptions, projection: string): string {
  const { labelSelector = '', fieldSelector = '', metadataOnly = false, consistent = false } = options;
  const namespaces = options.namespaces === undefined ? null : [...new Set(options.namespaces)].sort();
  const what = [apiVersionOf(type), type.plural, namespaces, labelSelector, fieldSelector];
  return JSON.stringify([...what, metadataOnly, consistent, projection]);
}

function isSame(a: ResourceType<KubeObject>, b: ResourceType<KubeObject>): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}
