/**
 * Holds the vm-controller before one of its writes. It writes rows alone, a statement at a time, and what it knows is lost with it: between two writes one
 * moment is like the other.
 */
import { passing, type Director, type Fate, type Step } from '../step.ts';

const writes = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/i;
/** It comes all the time, and nothing is done by it. */
const heartbeat = /INSERT INTO heartbeats/i;

export class ObservedWrites implements Director {
  #left = 0;
  #heldAt: string | undefined;
  #held = Promise.withResolvers<boolean>();

  /** The statement that is held, or was; undefined where it has not come. */
  get heldAt(): string | undefined {
    return this.#heldAt;
  }

  /** From now on, before the write of this number. */
  holdBefore(number: number): void {
    this.#left = number;
    this.#heldAt = undefined;
    this.#held = Promise.withResolvers();
  }

  /** What is held never arrives, and nothing more is. */
  drop(): void {
    this.#left = 0;
    this.#held.resolve(false);
  }

  fateOf({ text }: Step): Fate {
    if (this.#left === 0 || !writes.test(text) || heartbeat.test(text)) return passing;
    this.#left -= 1;
    if (this.#left > 0) return passing;
    this.#heldAt = text;
    const { promise } = this.#held;
    return { send: () => promise, tell: passing.tell };
  }
}
