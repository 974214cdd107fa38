/** The changes of the VMs in one measurement, and the bookkeeping of their versions. */
import { cycle, rowStatus } from './machines.ts';

export interface Load {
  readonly title: string;
  /** Changes per second; 0 means full speed. */
  readonly rate: number;
  readonly changes: number;
}

export interface Change {
  readonly index: number;
  readonly version: number;
}

export interface Played {
  /** By change: when the server answered it, or when the source sent its event, by the wall clock. */
  readonly sent: readonly number[];
  /** How long it took to make all changes. */
  readonly seconds: number;
}

/** A stride that visits every VM once before any repeats, and never two neighbors in a row. */
const stride = 7919;

/** The versions of VMs, across all loads. */
export class Versions {
  readonly #of: Int32Array;

  constructor(count: number) {
    this.#of = new Int32Array(count);
  }

  /** Returns the next changes. No VM changes so often in one load that its statuses repeat. */
  advance(changes: number): readonly Change[] {
    const count = this.#of.length;
    if (changes >= count * cycle) throw new Error(`${changes} changes of ${count} machines cannot be told apart`);
    const step = count % stride === 0 ? 1 : stride;
    return Array.from({ length: changes }, (_, at) => {
      const index = (at * step) % count;
      return { index, version: (this.#of[index] = (this.#of[index] ?? 0) + 1) };
    });
  }

  get count(): number {
    return this.#of.length;
  }

  rowStatus(index: number): string {
    return rowStatus(this.#of[index] ?? 0);
  }

  /** The expected number of rows per status once all is in sync. */
  tally(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const version of this.#of) tally.set(rowStatus(version), (tally.get(rowStatus(version)) ?? 0) + 1);
    return tally;
  }
}
