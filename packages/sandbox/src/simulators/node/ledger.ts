/**
 * The resources that are taken on each node, updated as pods come and go, so that no placement has to sum up all pods.
 */
import type { Pod } from '../kubevirt/objects.ts';
import { plus, requestsOf, type NodeAmounts } from './amounts.ts';
import { isEnded } from './caches.ts';

interface Share {
  readonly node: string;
  readonly requests: NodeAmounts;
}

const nothing: NodeAmounts = {};

export class Ledger {
  readonly #shares = new Map<string, Share>();
  readonly #taken = new Map<string, Record<string, number>>();

  /** Returns true if resources were released. */
  saw(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    const node = pod.spec.nodeName;
    if (isEnded(pod)) return this.release(uid);
    // A pod that was placed but is not bound yet keeps its share.
    if (node === undefined) return false;
    const known = this.#shares.get(uid);
    if (known?.node === node) return false;
    this.take(uid, node, requestsOf(pod));
    return known !== undefined;
  }

  take(uid: string, node: string, requests: NodeAmounts): void {
    this.release(uid);
    this.#shares.set(uid, { node, requests });
    this.#add(node, requests, 1);
  }

  release(uid: string): boolean {
    const share = this.#shares.get(uid);
    if (share === undefined) return false;
    this.#shares.delete(uid);
    this.#add(share.node, share.requests, -1);
    return true;
  }

  nodeOf(uid: string): string | undefined {
    return this.#shares.get(uid)?.node;
  }

  taken(node: string): NodeAmounts {
    return this.#taken.get(node) ?? nothing;
  }

  #add(node: string, requests: NodeAmounts, times: number): void {
    this.#taken.set(node, { ...plus(this.taken(node), requests, times) });
  }
}
