/** What is done to the machines in one measurement, and how the versions of them are kept. */
import { cycle, rowStatus } from './machines.ts';

export interface Load {
  readonly title: string;
  /** Changes a second; 0 is as fast as it goes. */
  readonly rate: number;
  readonly changes: number;
}

export interface Change {
  readonly index: number;
  readonly version: number;
}

export interface Played {
  /** By change: when the server had answered it, or the source had sent its event, by the wall clock. */
  readonly sent: readonly number[];
  /** How long it took to make them all. */
  readonly seconds: number;
}

/** A stride that visits every machine before one comes again, and no neighbours after each other. */
const stride = 7919;

/** Versions of machines, over all loads that they go through. */
export class Versions {
  readonly #of: Int32Array;

  constructor(count: number) {
    this.#of = new Int32Array(count);
  }

  /** The next changes. No machine is changed so often in one load that its statuses come round. */
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

  /** How many rows have which status when all is in sync. */
  tally(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const version of this.#of) tally.set(rowStatus(version), (tally.get(rowStatus(version)) ?? 0) + 1);
    return tally;
  }
}
