/**
 * Holds the vm-controller before one of its writes. It writes only rows, one statement at a time, and its memory is
 * lost with it, so all moments between two writes are equivalent.
 */
import { passing, type Director, type Fate, type Step } from '../step.ts';

const writes = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/i;
/** Heartbeats are sent all the time and have no effect. */
const heartbeat = /INSERT INTO heartbeats/i;

export class ObservedWrites implements Director {
  #left = 0;
  #heldAt: string | undefined;
  #held = Promise.withResolvers<boolean>();

  /** The statement that is or was held; undefined if none was reached. */
  get heldAt(): string | undefined {
    return this.#heldAt;
  }

  /** Holds from now on before the write of this number. */
  holdBefore(number: number): void {
    this.#left = number;
    this.#heldAt = undefined;
    this.#held = Promise.withResolvers();
  }

  /** Drops the held statement, and holds no other. */
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
