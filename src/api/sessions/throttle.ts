/**
 * Who guesses is made to wait. Three counts, each in the database, so that all replicas know them:
 *
 * - that name from that address: the first to make wait. An attacker elsewhere does not hold up the user, and a colleague behind the same address who forgot a
 *   password does not hold up the others.
 * - the address, for whatever name: who tries one password on many names. Ten times as many are free, since one address may be that of many people.
 * - the name, from whatever address: who guesses from many. Its wait is short, or strangers could lock a user out for good; at two guesses a minute nobody finds
 *   a password of twelve characters.
 *
 * Names that do not exist are counted like those that do, so that waiting tells nothing. Attempts during a wait are not looked at and not counted: they do not
 * prolong it.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Kysely } from 'kysely';
import { addFailures, clearFailures, waitOf, type FailureKey } from '../../db/login-failures.ts';
import type { Tables } from '../../db/schema.ts';
import { ApiError } from '../errors.ts';

const maxWaitMs = 5 * 60_000;
const maxWaitOfNameMs = 30_000;
const manyTimes = 10;

export interface Attempt {
  readonly address: string;
  /** Who or what was named; secrets by a digest only. */
  readonly named: readonly string[];
}

export class Throttle {
  readonly #db: Kysely<Tables>;
  readonly #pair: FailureKey;
  readonly #name: FailureKey;
  readonly #address: FailureKey;

  /** `free` failures are without consequences. */
  constructor(db: Kysely<Tables>, { address, named }: Attempt, free: number) {
    const network = networkOf(address);
    const name = named.map(folded);
    this.#db = db;
    this.#pair = { key: digest('pair', network, ...name), threshold: free, maxWaitMs };
    this.#name = { key: digest('name', ...name), threshold: free * manyTimes, maxWaitMs: maxWaitOfNameMs };
    this.#address = { key: digest('address', network), threshold: free * manyTimes, maxWaitMs };
  }

  /** Throws TOO_MANY_REQUESTS while one of them has to wait. */
  async pass(): Promise<void> {
    const waitMs = await waitOf(this.#db, [this.#pair, this.#name, this.#address]);
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new ApiError('TOO_MANY_REQUESTS', `Too many attempts have failed; try again in ${seconds} s.`, {
      retryAfter: seconds,
    });
  }

  failed(): Promise<void> {
    return addFailures(this.#db, [this.#pair, this.#name, this.#address]);
  }

  /** The address keeps its count: else who has one account could guess at the others without end. */
  succeeded(db: Kysely<Tables> = this.#db): Promise<void> {
    return clearFailures(db, [this.#pair, this.#name]);
  }
}

/**
 * What PostgreSQL takes for the same name counts as one. It folds letter by letter, by rules of its own for the one letter whose small form is two (İ): whoever
 * wrote that into a name would have as many names to guess at as the name has an i.
 */
function folded(name: string): string {
  return [...name].map((letter) => letter.toLowerCase().replace('i\u0307', 'i')).join('');
}

function digest(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** One customer has a whole /64 of IPv6, and could come from another address each time. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = '', after] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros =
    after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
