/**
 * Slows down guessing of passwords. Three counters, all in the database, so that replicas share them:
 *
 * - the name from one address: the first to be throttled. So a colleague behind the same address who forgot a password
 *   does not lock out others.
 * - the address, with any name: against trying one password on many names. Its free attempts are ten times as many,
 *   since many people may share one address.
 * - the name, from any address: against guessing from many addresses. It does not apply where the user has logged in
 *   before, so strangers do not delay a user there. Elsewhere its wait is short, or they could lock out a user who travels; two
 *   guesses a minute do not find a password of twelve characters.
 *
 * Names that do not exist are counted like those that do, so that waiting reveals nothing. Attempts during a wait are
 * neither checked nor counted: they do not prolong it.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Kysely } from 'kysely';
import { isKnownLogIn, rememberLogIn } from '../../../db/tenants/known-log-ins.ts';
import { addFailures, clearFailures, waitOf, type FailureKey } from '../../../db/tenants/login-failures.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { ApiError } from '../../errors.ts';

const maxWaitMs = 5 * 60_000;
const maxWaitOfNameMs = 30_000;
const manyTimes = 10;

export interface LogInAttempt {
  readonly address: string;
  /** What the counter is keyed by; secrets only as a digest. */
  readonly named: readonly string[];
}

export class Throttle {
  readonly #db: Kysely<Tables>;
  readonly #pair: FailureKey;
  readonly #name: FailureKey;
  readonly #address: FailureKey;
  /** The name at the address, among log-ins that succeeded. */
  readonly #known: Buffer;

  /** `free` failures have no consequences. */
  constructor(db: Kysely<Tables>, { address, named }: LogInAttempt, free: number) {
    const network = networkOf(address);
    const name = named.map(folded);
    this.#db = db;
    this.#known = digest('known', network, ...name);
    this.#pair = { key: digest('pair', network, ...name), threshold: free, maxWaitMs };
    this.#name = { key: digest('name', ...name), threshold: free * manyTimes, maxWaitMs: maxWaitOfNameMs };
    this.#address = { key: digest('address', network), threshold: free * manyTimes, maxWaitMs };
  }

  /** Throws TOO_MANY_REQUESTS while one of the counters that apply is blocked. */
  async pass(): Promise<void> {
    const here = [this.#pair, this.#address];
    const isKnown = await isKnownLogIn(this.#db, this.#known);
    const waitMs = await waitOf(this.#db, isKnown ? here : [...here, this.#name]);
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new ApiError('TOO_MANY_REQUESTS', `Too many failed attempts; try again in ${seconds} s.`, {
      retryAfter: seconds,
    });
  }

  failed(): Promise<void> {
    return addFailures(this.#db, [this.#pair, this.#name, this.#address]);
  }

  /** The address keeps its count: otherwise the owner of one account could guess others without end. */
  async succeeded(db: Kysely<Tables> = this.#db): Promise<void> {
    await clearFailures(db, [this.#pair, this.#name]);
    await rememberLogIn(db, this.#known);
  }
}

/**
 * Names that PostgreSQL considers equal share one counter. It folds letter by letter, with its own rule for the one
 * letter whose lower case has two characters (İ): otherwise a name with an i would give an attacker several counters.
 */
function folded(name: string): string {
  return [...name].map((letter) => letter.toLowerCase().replace('i\u0307', 'i')).join('');
}

function digest(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** One customer has a whole /64 of IPv6 and could use a different address each time. */
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
