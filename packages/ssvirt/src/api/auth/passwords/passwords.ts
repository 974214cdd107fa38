/** Hashes and compares passwords, a few at a time. */
import {
  hashOfNothing,
  hashPassword,
  isOutdated,
  isPasswordOf,
  recommendedCost,
  type PasswordCost,
} from './argon2id.ts';
import { ApiError } from '../../errors.ts';
import { Semaphore } from '../../http/semaphore.ts';

/**
 * One semaphore for the process. By design a password hash takes 19 MiB and a core for some hundredths of a second:
 * many at once would exhaust memory or starve other requests; and Node computes them in its four threads, which others
 * need, too.
 */
const processSemaphore = new Semaphore({ atOnce: 2, waiting: 128, refusal: tooMany });

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Too many log-ins at the same time; try again in a few seconds.', {
    retryAfter: 3,
  });
}

export interface Around {
  readonly before: () => Promise<void>;
  readonly after: (matches: boolean) => Promise<void>;
}

export interface Checked {
  readonly matches: boolean;
  /** The same password hashed at the current cost, if the stored hash has another one. */
  readonly renewed?: string;
}

export class Passwords {
  readonly #cost: PasswordCost;
  readonly #semaphore: Semaphore;
  readonly #placeholderHash: string;

  constructor(cost: PasswordCost = recommendedCost, semaphore: Semaphore = processSemaphore) {
    this.#cost = cost;
    this.#semaphore = semaphore;
    this.#placeholderHash = hashOfNothing(cost);
  }

  /** Throws SERVICE_UNAVAILABLE if too many wait. */
  hash(password: string): Promise<string> {
    return this.#semaphore.take(() => hashPassword(password, this.#cost));
  }

  /**
   * Compares a password with a hash; without a hash the password is wrong, which takes as long. `before` runs when this
   * comparison starts and may refuse it; `after` runs before the next one starts. So of many guesses sent at once, the
   * later ones see the results of the earlier ones.
   */
  check(password: string, hash: string | null | undefined, { before, after }: Around): Promise<Checked> {
    return this.#semaphore.take(async () => {
      await before();
      const matches = await isPasswordOf(password, hash ?? this.#placeholderHash);
      await after(matches);
      if (!matches || typeof hash !== 'string' || !isOutdated(hash, this.#cost)) return { matches };
      return { matches, renewed: await hashPassword(password, this.#cost) };
    });
  }
}
