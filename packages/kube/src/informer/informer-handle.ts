/**
 * `InformerHandle` is one user's view of a shared informer. It owns the handlers that were added through it and removes
 * them when it is released.
 */
import type { Clock } from '../clock.ts';
import { keyOf } from '../object.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';
import type { Handler, Informer, Projected, ReflectorHealth, Registration } from './informer.ts';
import type { Listener } from './listener.ts';
import type { SharedInformer } from './shared-informer.ts';
import type { Store } from './store.ts';

const leastResyncMs = 1_000;

export interface HandleOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly resyncMs: number | undefined;
  readonly released: () => void;
}

export class InformerHandle<T extends KubeObject, P extends Projected> implements Informer<P> {
  readonly #shared: SharedInformer<T, P>;
  readonly #options: HandleOptions;
  readonly #registrations = new Set<Registration>();
  #released = false;

  constructor(shared: SharedInformer<T, P>, options: HandleOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  get type(): ResourceType<KubeObject> {
    return this.#shared.type;
  }

  get size(): number {
    return this.#shared.store.size;
  }

  get hasSynced(): boolean {
    return this.#shared.hasSynced;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#shared.synced(signal);
  }

  get(key: ObjectKey): P | undefined {
    return this.#store.get(keyOf(key));
  }

  list(namespace?: string): readonly P[] {
    return this.#store.list(namespace);
  }

  byIndex(index: string, value: string): readonly P[] {
    return this.#store.byIndex(index, value);
  }

  addIndex(index: string, valuesOf: (object: P) => readonly string[]): void {
    this.#shared.store.addIndex(index, valuesOf);
  }

  addHandler(handler: Handler<P>): Registration {
    if (this.#released) throw new Error('the informer was released');
    const listener = this.#shared.addListener(handler);
    this.#resync(listener);
    const registration: Registration = {
      get hasSynced() {
        return listener.hasSynced;
      },
      get pending() {
        return listener.pending;
      },
      synced: (signal) => listener.synced(signal),
      remove: () => {
        this.#shared.removeListener(listener);
        this.#registrations.delete(registration);
      },
    };
    this.#registrations.add(registration);
    return registration;
  }

  covers(namespace?: string): boolean {
    return this.#shared.covers(namespace);
  }

  health(): ReflectorHealth {
    return this.#shared.health();
  }

  /** What is held in memory, for tests and benchmarks. */
  memory(): { readonly objects: number; readonly indexedValues: number; readonly remembered: number } {
    const { store, remembered } = this.#shared;
    return { objects: store.size, indexedValues: store.indexedValues, remembered };
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const registration of this.#registrations) registration.remove();
    this.#options.released();
  }

  /**
   * Reads throw once the cluster has left: a caller that took the empty cache for "everything was deleted" would
   * destroy what still exists.
   */
  get #store(): Store<P> {
    this.#shared.assertRuns();
    return this.#shared.store;
  }

  /** Replays the cache to the handler. Intervals vary by a tenth, so that not all handlers resync at the same time. */
  #resync(listener: Listener<P>): void {
    const { resyncMs, clock, random } = this.#options;
    if (resyncMs === undefined) return;
    const again = (): void => {
      const timer = clock.after(Math.max(resyncMs, leastResyncMs) * (0.9 + random() * 0.2), () => {
        again();
        // A handler that has not finished the previous round would only fall further behind.
        if (listener.pending > 0) return;
        for (const object of this.#shared.store.list())
          listener.tell({ type: 'updated', before: object, after: object, resync: true });
      });
      listener.whenRemoved(() => timer.cancel());
    };
    again();
  }
}
