/** The progress of orders as a watcher sees it. */
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { FirstSeen } from '../operator/first-seen.ts';
import { ordersNamespace } from './orders.ts';

export class Milestones {
  /** By name, in milliseconds of `performance.now`: when all objects of the order were applied. */
  readonly applied = new Map<string, number>();
  readonly ready = new Map<string, number>();
  /** Every order that ever failed, whatever became of it later. */
  readonly failed = new Set<string>();
  readonly #firstSeen = new FirstSeen((order) => this.#see(order as Order));

  static async follow(client: Client): Promise<Milestones> {
    const milestones = new Milestones();
    await milestones.#firstSeen.follow(client, orders, ordersNamespace);
    return milestones;
  }

  #see({ metadata: { name = '' }, status }: Order): void {
    const now = performance.now();
    if (status?.reconciledConfigVersion !== undefined && !this.applied.has(name)) this.applied.set(name, now);
    if (status?.phase === 'Ready' && !this.ready.has(name)) this.ready.set(name, now);
    if (status?.phase === 'Failed') this.failed.add(name);
  }

  get changes(): number {
    return [...this.#firstSeen.changes.values()].reduce((a, b) => a + b, 0);
  }

  end(): Promise<void> {
    return this.#firstSeen.end();
  }
}
