/** What is remembered of lists: how many rows each has and where some of them stand, with the snapshot of the database at which that was so. */
import type { Position } from './order.ts';

export interface Remembered {
  readonly snapshot: string;
  readonly total: number;
  /** Row number (i + 1) · step stands at anchors[i]. Absent where nobody has asked for a page far behind. */
  readonly anchors?: { readonly step: number; readonly positions: readonly Position[] };
}

interface Kept extends Remembered {
  readonly until: number;
}

export interface TotalsLimits {
  /** An entry counts one, and one for each anchor: some 200 bytes each. */
  readonly weight: number;
  /** Far below the time that the change log is kept, without which an entry cannot be checked. */
  readonly ageMs: number;
}

/** The least recently used go first. */
export class Totals {
  readonly #kept = new Map<string, Kept>();
  readonly #limits: TotalsLimits;
  #weight = 0;

  constructor(limits: TotalsLimits = { weight: 40_000, ageMs: 60_000 }) {
    this.#limits = limits;
  }

  get(key: string): Remembered | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#remove(key, kept);
    if (kept.until < performance.now()) return undefined;
    this.#add(key, kept);
    return kept;
  }

  /** As it was just seen to be. */
  set(key: string, seen: Remembered): void {
    const before = this.#kept.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#add(key, { ...seen, until: performance.now() + this.#limits.ageMs });
    for (const [oldest, kept] of this.#kept) {
      if (this.#weight <= this.#limits.weight) return;
      this.#remove(oldest, kept);
    }
  }

  /** Where it is still this: another may have looked again meanwhile. */
  forget(key: string, seen: Remembered): void {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.snapshot === seen.snapshot) this.#remove(key, kept);
  }

  #add(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#weight += weightOf(kept);
  }

  #remove(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#weight -= weightOf(kept);
  }
}

function weightOf({ anchors }: Remembered): number {
  return 1 + (anchors?.positions.length ?? 0);
}
