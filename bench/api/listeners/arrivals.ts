/** What has come to the listeners of one process, and when. Changes are told apart by the entity that each of them is of: no entity has two. */
export class Arrivals {
  readonly #changes: number;
  /** By listener and change; 0 where it has not come. */
  readonly #at: Float64Array;
  #arrived = 0;
  #twice = 0;

  constructor(listeners: number, changes: number) {
    this.#changes = changes;
    this.#at = new Float64Array(listeners * changes);
  }

  /** How many have come, each to each listener counted once. */
  get arrived(): number {
    return this.#arrived;
  }

  /** How many have come to one that had them. */
  get twice(): number {
    return this.#twice;
  }

  /** Changes count from 1. */
  note(listener: number, change: number, at: number): void {
    if (change < 1 || change > this.#changes) return;
    const place = listener * this.#changes + change - 1;
    if (this.#at[place] !== 0) {
      this.#twice += 1;
      return;
    }
    this.#at[place] = at;
    this.#arrived += 1;
  }

  /** Milliseconds from the commit of each change to each listener; of what has come. */
  since(committed: readonly number[]): Float32Array {
    const latencies = new Float32Array(this.#arrived);
    let next = 0;
    for (let place = 0; place < this.#at.length; place += 1) {
      const from = committed[place % this.#changes];
      const at = this.#at[place] ?? 0;
      if (at !== 0 && from !== undefined) latencies[next++] = at - from;
    }
    return latencies.subarray(0, next);
  }
}
