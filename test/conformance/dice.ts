/** Random numbers that are the same for the same seed, on every host (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0;
  }

  /** From 0 up to, but excluding, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Some of the items, in a random order. */
  some<T>(items: readonly T[], probability: number): T[] {
    const kept = items.filter(() => this.chance(probability));
    for (let i = kept.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [kept[i], kept[j]] = [kept[j] as T, kept[i] as T];
    }
    return kept;
  }
}
