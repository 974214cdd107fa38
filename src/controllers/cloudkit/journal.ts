/**
 * The order as the server has it now, while a round works on it. A round writes to it several times (finalizer, who provisions, the version that is done, status):
 * each write is tied to the state before it, touches only fields of ours, and its answer is what the next one builds on. Somebody else's write in between is a
 * conflict, and the round begins again with what they wrote.
 */
import type { Client } from '../../kube/client/client.ts';
import { keyOfObject } from '../../kube/object.ts';
import { addFinalizer, removeFinalizer } from '../../kube/reconcile/finalizers.ts';
import { lockOn } from '../../kube/reconcile/merge-patch.ts';
import { patchStatus } from '../../kube/reconcile/status-patch.ts';
import { finalizer } from '../../virt/order/resource.ts';
import { orders, type Order, type OrderStatus } from './kinds.ts';

export class Journal {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  #order: Order;

  constructor(client: Client, order: Order, signal: AbortSignal) {
    this.#client = client;
    this.#order = order;
    this.#signal = signal;
  }

  get order(): Order {
    return this.#order;
  }

  async addFinalizer(): Promise<void> {
    this.#order = await addFinalizer(this.#client, orders, this.#order, finalizer, { signal: this.#signal });
  }

  /** The order may be gone then. */
  async removeFinalizer(): Promise<void> {
    await removeFinalizer(this.#client, orders, this.#order, finalizer, { signal: this.#signal });
  }

  /** Null takes one away. No request where all of them are so already. */
  async annotate(wanted: Readonly<Record<string, string | null>>): Promise<void> {
    const { annotations = {} } = this.#order.metadata;
    const news = Object.entries(wanted).filter(([name, value]) => (annotations[name] ?? null) !== value);
    if (news.length === 0) return;
    const body = { metadata: { ...lockOn(this.#order), annotations: Object.fromEntries(news) } };
    const key = keyOfObject(this.#order);
    this.#order = await this.#client.patch(orders, key, { type: 'merge', body }, { signal: this.#signal });
  }

  /** Fields that are undefined are taken out, others stay. */
  async status(some: Partial<{ readonly [K in keyof OrderStatus]: OrderStatus[K] | undefined }>): Promise<void> {
    const status = { ...this.#order.status, ...some } as OrderStatus;
    const answer = await patchStatus(this.#client, orders, this.#order, status, { signal: this.#signal });
    // One that is gone has nothing left to say.
    if (answer !== undefined) this.#order = answer;
  }
}
