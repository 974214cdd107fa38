/**
 * Keeps the status of PodDisruptionBudgets: how many of their pods are healthy, and how many disruptions are allowed.
 */
import { peek } from '../admission/stored.ts';
import type { KubeObject } from '../../values/json.ts';
import { objectAt } from '../../objects/kinds/values/fields.ts';
import { matchesLabelSelector } from '../../server/subresources/label-selector.ts';
import type { Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent } from '../../store/table.ts';
import type { LocalClient } from './client.ts';
import { countedStatus, failedStatus, recheckAfter } from './disruption-status.ts';
import { expectedPods, UnknownScale } from './expected-pods.ts';
import { WorkQueue } from './work-queue.ts';

const BUDGETS = 'policy/poddisruptionbudgets';
const PODS = '/pods';

export class DisruptionController {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[];

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#queue = new WorkQueue((key) => this.#reconcile(key), onError);
    for (const entry of store.table(BUDGETS).range('')) this.#queue.add(entry.key);
    this.#stops = [
      store.listenTo(BUDGETS, ({ type, entry }) => {
        if (type !== 'DELETED') this.#queue.add(entry.key);
      }),
      store.listenTo(PODS, (event) => this.#onPod(event)),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  /** A pod may have left a budget because its labels changed. */
  #onPod({ entry, previous }: StoreEvent): void {
    if (this.#store.table(BUDGETS).size === 0) return;
    for (const budget of this.#store.table(BUDGETS).range(`${entry.namespace}/`)) {
      if (covers(peek(budget), entry) || (previous !== undefined && covers(peek(budget), previous)))
        this.#queue.add(budget.key);
    }
  }

  async #reconcile(key: string): Promise<void> {
    const entry = this.#store.table(BUDGETS).get(key);
    if (entry === undefined) return;
    const budget = peek(entry);
    const next = this.#nextStatus(budget);
    if (next !== undefined) {
      const { namespace, name } = entry;
      const resource = this.#client.builtin('policy', 'v1', 'poddisruptionbudgets');
      await this.#client.update(resource, namespace, name, (live) => this.#change(live), 'status');
    }
    const wait = recheckAfter(next ?? objectAt(budget, 'status'));
    if (wait !== undefined) this.#queue.addAfter(key, wait + 1000);
  }

  #change(live: KubeObject): boolean {
    const next = this.#nextStatus(live);
    if (next !== undefined) live['status'] = next;
    return next !== undefined;
  }

  #nextStatus(budget: KubeObject): ReturnType<typeof countedStatus> {
    const pods = this.#podsOf(budget);
    try {
      return countedStatus(budget, pods, expectedPods(this.#client, budget, pods));
    } catch (error) {
      if (error instanceof UnknownScale) return failedStatus(budget, error.message);
      throw error;
    }
  }

  #podsOf(budget: KubeObject): KubeObject[] {
    const entries = this.#store.table(PODS).range(`${budget.metadata.namespace ?? ''}/`);
    return [...entries].filter((entry) => covers(budget, entry)).map(peek);
  }
}

function covers(budget: KubeObject, pod: Entry): boolean {
  return matchesLabelSelector(objectAt(objectAt(budget, 'spec'), 'selector'), pod.labels ?? {});
}
