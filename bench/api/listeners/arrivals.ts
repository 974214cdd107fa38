/**
 * `Arrivals` records which changes reached the listeners of one process, and when. A change is identified by its
 * entity: no entity changes twice.
 */
export class Arrivals {
  readonly #changes: number;
  /** By listener and change; 0 if the change has not arrived. */
  readonly #at: Float64Array;
  #arrived = 0;
  #twice = 0;

  constructor(listeners: number, changes: number) {
    this.#changes = changes;
    this.#at = new Float64Array(listeners * changes);
  }

  /** The number of deliveries, without duplicates. */
  get arrived(): number {
    return this.#arrived;
  }

  /** The number of duplicate deliveries. */
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

  /** Milliseconds from the commit of each change to each listener that received it. */
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
