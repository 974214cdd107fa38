/**
 * `Shares` decides which key is next when several shares (usually clusters) have ready keys.
 *
 * Inside a share the higher priority goes first, and among equals the key that was ready first. Between shares,
 * priority alone must not decide: a constant load of live changes in one would starve the first list of another. Round
 * robin alone must not decide either: a live change of a quiet cluster should overtake the start-up lists of the
 * others. So each share pays for its turns in virtual time, as in fair queueing: a key of priority 0 and above costs 1,
 * one below (first lists and resyncs) costs 4, and the turn goes to the share whose next key would be paid soonest.
 * - Shares with the same kind of work take turns, however many keys each has.
 * - A live key waits for at most one turn of each other share.
 * - A share with background keys only gets one turn for every four of each share with live keys, and always gets some.
 *   A share without work, or with all workers busy, saves nothing up: it returns at the present virtual time.
 *
 * Each share has its own limit of workers. A hanging share blocks no worker of another, as long as the total limit is
 * not below the sum.
 */
import { Heap, type HeapMember } from './heap.ts';

const liveCost = 1;
const backgroundCost = 4;

export interface ReadyKey extends HeapMember {
  readonly share: string;
  priority: number;
  /** Grows with every key that becomes ready. */
  order: number;
}

interface Share<K extends ReadyKey> extends HeapMember {
  readonly name: string;
  readonly ready: Heap<K>;
  working: number;
  /** The virtual time up to which it has paid. */
  paid: number;
  /** The number of its last turn, to break ties. */
  lastTurn: number;
}

export interface ShareLimits {
  /** Concurrent keys of one share. */
  readonly workers: number;
  /** Concurrent keys of all shares. No limit by default. */
  readonly totalWorkers?: number;
}

export class Shares<K extends ReadyKey> {
  readonly #limits: ShareLimits;
  readonly #shares = new Map<string, Share<K>>();
  /** The shares with a ready key and a free worker. */
  readonly #eligible = new Heap<Share<K>>(
    (a, b) => finish(a) < finish(b) || (finish(a) === finish(b) && a.lastTurn < b.lastTurn),
  );
  #virtualTime = 0;
  #turn = 0;
  #working = 0;
  #ready = 0;

  constructor(limits: ShareLimits) {
    if (!(limits.workers >= 1) || !((limits.totalWorkers ?? 1) >= 1))
      throw new RangeError('a queue needs at least one worker');
    this.#limits = limits;
  }

  get ready(): number {
    return this.#ready;
  }

  /** The number of shares with work. */
  get size(): number {
    return this.#shares.size;
  }

  add(key: K): void {
    const share = this.#share(key.share);
    share.ready.push(key);
    this.#ready++;
    this.#reconsider(share);
  }

  /** The key's priority or order has changed. */
  moved(key: K): void {
    const share = this.#share(key.share);
    share.ready.moved(key);
    this.#reconsider(share);
  }

  remove(key: K): void {
    const share = this.#share(key.share);
    share.ready.remove(key);
    this.#ready--;
    this.#reconsider(share);
  }

  /** Returns the next key, which occupies a worker of its share until `release`. */
  take(): K | undefined {
    if (this.#working >= (this.#limits.totalWorkers ?? Infinity)) return undefined;
    const share = this.#eligible.peek();
    if (share === undefined) return undefined;
    share.paid = finish(share);
    // A live key that became the head of a share can be due before the present: time never goes back.
    this.#virtualTime = Math.max(this.#virtualTime, share.paid);
    share.lastTurn = ++this.#turn;
    share.working++;
    this.#working++;
    this.#ready--;
    const key = share.ready.pop();
    this.#reconsider(share);
    return key;
  }

  release(name: string): void {
    const share = this.#share(name);
    share.working--;
    this.#working--;
    this.#reconsider(share);
  }

  #share(name: string): Share<K> {
    let share = this.#shares.get(name);
    if (share === undefined) {
      const ready = new Heap<K>((a, b) => a.priority > b.priority || (a.priority === b.priority && a.order < b.order));
      share = { name, ready, working: 0, paid: this.#virtualTime, lastTurn: 0, slot: -1 };
      this.#shares.set(name, share);
    }
    return share;
  }

  #reconsider(share: Share<K>): void {
    const eligible = share.ready.size > 0 && share.working < this.#limits.workers;
    if (!eligible) {
      if (share.slot >= 0) this.#eligible.remove(share);
      // No share has paid for more than the present, so nothing is lost with it.
      if (share.ready.size === 0 && share.working === 0) this.#shares.delete(share.name);
    } else if (share.slot >= 0) {
      this.#eligible.moved(share);
    } else {
      share.paid = Math.max(share.paid, this.#virtualTime);
      this.#eligible.push(share);
    }
  }
}

function finish<K extends ReadyKey>(share: Share<K>): number {
  const head = share.ready.peek();
  return share.paid + (head !== undefined && head.priority < 0 ? backgroundCost : liveCost);
}
