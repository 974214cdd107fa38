/** Hashes and compares passwords, a few at a time. */
import {
  hashOfNothing,
  hashPassword,
  isOutdated,
  isPasswordOf,
  recommendedCost,
  type PasswordCost,
} from './argon2id.ts';
import { ApiError } from '../errors.ts';
import { Turns } from '../turns.ts';

/**
 * One for the process, however many ask. A password's hash takes 19 MiB and a core for some hundredth of a second, on purpose: many at once would take the
 * process down, or the other requests' time; and Node does them in its four threads, which others need too.
 */
const turnsOfProcess = new Turns({ atOnce: 2, waiting: 128, refusal: tooMany });

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many log in at the same time; try again in a few seconds.', {
    retryAfter: 3,
  });
}

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
