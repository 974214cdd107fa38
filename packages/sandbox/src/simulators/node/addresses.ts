/** The addresses of pods, derived from the pods' status, so that no state of our own is needed. */
import type { Pod } from '../kubevirt/objects.ts';
import { isEnded } from './caches.ts';
import { indexOfNode, podAddress, PODS_PER_RANGE } from './fleet.ts';

export class Addresses {
  readonly #holders = new Map<string, string>();
  readonly #held = new Map<string, string>();
  /** Where to search first: a released address is not reused at once. */
  readonly #next = new Map<string, number>();

  saw(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    if (isEnded(pod)) return this.release(uid);
    const address = pod.status?.podIP;
    if (address !== undefined && this.#held.get(uid) !== address) this.#hold(uid, address);
  }

  release(uid: string): void {
    const address = this.#held.get(uid);
    if (address === undefined) return;
    this.#held.delete(uid);
    if (this.#holders.get(address) === uid) this.#holders.delete(address);
  }

  give(uid: string, node: string): string {
    const held = this.#held.get(uid);
    if (held !== undefined) return held;
    const index = Math.max(0, indexOfNode(node));
    const first = this.#next.get(node) ?? FIRST;
    for (let step = 0; step < PODS_PER_RANGE - FIRST - 1; step++) {
      const place = FIRST + ((first - FIRST + step) % (PODS_PER_RANGE - FIRST - 1));
      const address = podAddress(index, place);
      if (this.#holders.has(address)) continue;
      this.#next.set(node, place + 1);
      this.#hold(uid, address);
      return address;
    }
    throw new Error(`cannot give pod ${uid} an address: node ${node} has none left`);
  }

  #hold(uid: string, address: string): void {
    this.release(uid);
    this.#held.set(uid, address);
    this.#holders.set(address, uid);
  }
}

/** The first addresses are reserved for the network itself. */
const FIRST = 10;
