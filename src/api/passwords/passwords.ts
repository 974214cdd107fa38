/** Hashes and compares passwords, a few at a time. */
import {
  hashOfNothing,
  hashPassword,
  isOutdated,
  isPasswordOf,
  recommendedCost,
  type PasswordCost,
} from './argon2id.ts';
import { Turns } from './turns.ts';

/** One for the process, however many ask: memory and cores are the process's. */
const turnsOfProcess = new Turns();

export interface Around {
  readonly before: () => Promise<void>;
  readonly after: (matches: boolean) => Promise<void>;
}

export interface Checked {
  readonly matches: boolean;
  /** The same password at today's cost, where the hash was made at another one. */
  readonly renewed?: string;
}

export class Passwords {
  readonly #cost: PasswordCost;
  readonly #turns: Turns;
  readonly #hashOfNobody: string;

  constructor(cost: PasswordCost = recommendedCost, turns: Turns = turnsOfProcess) {
    this.#cost = cost;
    this.#turns = turns;
    this.#hashOfNobody = hashOfNothing(cost);
  }

  /** Throws SERVICE_UNAVAILABLE where too many wait. */
  hash(password: string): Promise<string> {
    return this.#turns.take(() => hashPassword(password, this.#cost));
  }

  /**
   * Compares a password with a hash; without a hash it is wrong, which takes as long. `before` is asked when it is this one's turn, and may refuse; `after`
   * is told before the next one's turn: of many guesses that are sent at once, the later ones see what became of the first.
   */
  check(password: string, hash: string | null | undefined, { before, after }: Around): Promise<Checked> {
    return this.#turns.take(async () => {
      await before();
      const matches = await isPasswordOf(password, hash ?? this.#hashOfNobody);
      await after(matches);
      if (!matches || typeof hash !== 'string' || !isOutdated(hash, this.#cost)) return { matches };
      return { matches, renewed: await hashPassword(password, this.#cost) };
    });
  }
}
