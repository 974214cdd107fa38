/**
 * Tracks by key since when a condition has held: some problems are failures only when they last. In memory only: a new
 * leader starts counting again.
 */
import { BoundedMap } from './bounded-map.ts';

interface Seen<W> {
  readonly word: W;
  readonly since: number;
}

export class ConditionAge<W> {
  readonly #seen: BoundedMap<string, Seen<W>>;

  constructor(remembered: number) {
    this.#seen = new BoundedMap(remembered);
  }

  ageOf(key: string, word: W): number {
    const known = this.#seen.get(key);
    return known?.word === word ? performance.now() - known.since : 0;
  }

  note(key: string, word: W | undefined): void {
    if (word === undefined) this.#seen.delete(key);
    else if (this.#seen.get(key)?.word !== word) this.#seen.set(key, { word, since: performance.now() });
  }
}
