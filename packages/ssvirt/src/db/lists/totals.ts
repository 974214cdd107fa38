/**
 * The cache of lists: how many rows each has and where some of them are, with the database snapshot in which that was
 * true.
 */
import type { SortPosition } from './order.ts';

export interface Remembered {
  readonly snapshot: string;
  readonly total: number;
  /**
   * `positions[i]` is the position of row number (i + 1) · step. Absent until a page far into the list is requested.
   */
  readonly anchors?: { readonly step: number; readonly positions: readonly SortPosition[] };
}

interface RememberedTotal extends Remembered {
  readonly until: number;
}

export interface TotalsLimits {
  /** An entry counts one, plus one for each position: some 200 bytes each. */
  readonly weight: number;
  /** Far below the change log's retention, because an entry can only be checked while the log is kept. */
  readonly ageMs: number;
}

/** `Totals` evicts the least recently used entries. */
export class Totals {
  readonly #entries = new Map<string, RememberedTotal>();
  readonly #limits: TotalsLimits;
  #weight = 0;

  constructor(limits: TotalsLimits = { weight: 40_000, ageMs: 60_000 }) {
    this.#limits = limits;
  }

  get(key: string): Remembered | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    if (entry.until < performance.now()) return undefined;
    this.#add(key, entry);
    return entry;
  }

  /** Stores what a statement has just read. */
  set(key: string, seen: Remembered): void {
    const before = this.#entries.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#add(key, { ...seen, until: performance.now() + this.#limits.ageMs });
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#limits.weight) return;
      this.#remove(oldest, entry);
    }
  }

  /** Removes the entry unless another request has replaced it in the meantime. */
  forget(key: string, seen: Remembered): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.snapshot === seen.snapshot) this.#remove(key, entry);
  }

  #add(key: string, entry: RememberedTotal): void {
    this.#entries.set(key, entry);
    this.#weight += weightOf(entry);
  }

  #remove(key: string, entry: RememberedTotal): void {
    this.#entries.delete(key);
    this.#weight -= weightOf(entry);
  }
}

function weightOf({ anchors }: Remembered): number {
  return 1 + (anchors?.positions.length ?? 0);
}
