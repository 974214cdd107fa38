/**
 * `Followed` reads files whose content may change at run time: tokens, certificates, authorities. It rereads every
 * minute and after a refusal.
 */
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { KubeError } from '../errors.ts';
import { type Part, waitFor } from './part.ts';

const RECHECK_MS = 60_000;
/** After a failure: a rotation may be in progress, with only one of two files written. */
const RETRY_MS = 5_000;
const READ_DEADLINE_MS = 10_000;

export interface FollowedOptions<T> {
  /** For messages: `token file`. */
  readonly what: string;
  readonly paths: readonly string[];
  /** Builds the value from the texts; its errors must not quote them. */
  readonly make: (texts: readonly string[]) => T;
  /** The value until the files can be read; without it that is an error. */
  readonly otherwise?: { readonly value: T };
  readonly clock?: Clock;
  readonly log?: Logger;
}

interface Held<T> {
  readonly texts: readonly string[];
  readonly value: T;
}

export class Followed<T> implements Part<T> {
  readonly #options: FollowedOptions<T>;
  readonly #clock: Clock;
  #held: Held<T> | undefined;
  #lookAgainAt = 0;
  #looking: Promise<T> | undefined;

  constructor(options: FollowedOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async current(signal?: AbortSignal): Promise<T> {
    if (this.#held !== undefined && this.#clock.now() < this.#lookAgainAt) return this.#held.value;
    return waitFor(this.#look(), signal);
  }

  async refresh(refused: T, signal?: AbortSignal): Promise<void> {
    if (this.#held !== undefined && this.#held.value !== refused) return;
    await waitFor(this.#look(), signal);
  }

  /** Concurrent callers share one read. */
  #look(): Promise<T> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<T> {
    try {
      this.#held = await this.#read();
      this.#lookAgainAt = this.#clock.now() + RECHECK_MS;
    } catch (error) {
      this.#held = this.#instead(error);
      this.#lookAgainAt = this.#clock.now() + RETRY_MS;
    }
    return this.#held.value;
  }

  async #read(): Promise<Held<T>> {
    const { paths, make } = this.#options;
    const signal = AbortSignal.timeout(READ_DEADLINE_MS);
    const texts = await Promise.all(paths.map((path) => readFile(path, { encoding: 'utf8', signal })));
    const held = this.#held;
    if (held !== undefined && texts.every((text, index) => text === held.texts[index])) return held;
    return { texts, value: make(texts) };
  }

  /** Falls back to the last value, which may still be valid. */
  #instead(error: unknown): Held<T> {
    const { what, paths, otherwise, log } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    const held = this.#held ?? (otherwise === undefined ? undefined : { texts: [], value: otherwise.value });
    if (held === undefined)
      throw new KubeError('Credentials', `cannot read the ${what} ${paths.join(' and ')}: ${reason}`, { cause: error });
    log?.warn({ what, paths, reason }, 'cannot read file, using its last known content');
    return held;
  }
}
