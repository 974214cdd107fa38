/** Since when something is the case, by key: some troubles are failures only when they last. Nothing is written down: a new leader begins to count anew. */
import { BoundedMap } from './bounded-map.ts';

interface Seen<W> {
  readonly word: W;
  readonly since: number;
}

export class Lasting<W> {
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
