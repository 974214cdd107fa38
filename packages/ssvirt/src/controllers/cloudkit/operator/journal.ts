/**
 * `Journal` is the order as the server has it now, during one reconcile. A reconcile writes to the order several times
 * (finalizer, provisioner, reconciled version, status). Each write is conditional on the previous state, touches only
 * our fields, and returns the state for the next one. A concurrent write by others is a conflict, and the reconcile
 * starts again with their change.
 */
import type { Client } from '@ssvirt/kube/client/client';
import { keyOfObject } from '@ssvirt/kube/object';
import { addFinalizer, removeFinalizer } from '@ssvirt/kube/reconcile/finalizers';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { finalizer } from '../../../kubevirt/order/resource.ts';
import { orders, type Order, type OrderStatus } from './order-types.ts';

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

  /** The order may be gone afterwards. */
  async removeFinalizer(): Promise<void> {
    await removeFinalizer(this.#client, orders, this.#order, finalizer, { signal: this.#signal });
  }

  /** A null removes the annotation. Sends no request if all annotations already have these values. */
  async annotate(wanted: Readonly<Record<string, string | null>>): Promise<void> {
    const { annotations = {} } = this.#order.metadata;
    const news = Object.entries(wanted).filter(([name, value]) => (annotations[name] ?? null) !== value);
    if (news.length === 0) return;
    const body = { metadata: { ...lockOn(this.#order), annotations: Object.fromEntries(news) } };
    const key = keyOfObject(this.#order);
    this.#order = await this.#client.patch(orders, key, { type: 'merge', body }, { signal: this.#signal });
  }

  /** Removes the fields that are undefined; fields that are absent stay. */
  async status(some: Partial<{ readonly [K in keyof OrderStatus]: OrderStatus[K] | undefined }>): Promise<void> {
    const status = { ...this.#order.status, ...some } as OrderStatus;
    const answer = await patchStatus(this.#client, orders, this.#order, status, { signal: this.#signal });
    // If the order is gone, there is no status to keep.
    if (answer !== undefined) this.#order = answer;
  }
}
