/**
 * What the log hears of a kind that cannot be followed: that it fails, when it fails in another way, and that it works again. A cluster that is
 * down for hours is one line of each kind; the tries in between are for those who debug.
 */
import type { Logger } from 'pino';
import type { Failure } from './machine.ts';

export interface Failed {
  readonly error: Error;
  /** Name of the error, or kind of the refusal. */
  readonly kind: string;
  readonly failure: Failure;
  readonly failures: number;
  readonly state: string;
}

export class Account {
  readonly #log: Logger | undefined;
  #told: string | undefined;
  #failures = 0;

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  failed({ error, kind, ...more }: Failed): void {
    const level = kind === this.#told ? 'debug' : levelOf(more.failure);
    this.#told = kind;
    this.#failures++;
    this.#log?.[level]({ ...more, err: error }, messageOf(more.failure));
  }

  works(): void {
    if (this.#told === undefined) return;
    this.#log?.info({ failures: this.#failures }, 'watch recovered');
    this.#told = undefined;
    this.#failures = 0;
  }
}

/** Versions run out in the normal course of things, and a new list is all that it takes. */
function levelOf(failure: Failure): 'info' | 'warn' {
  return failure === 'expired' ? 'info' : 'warn';
}

function messageOf(failure: Failure): string {
  if (failure === 'absent') return 'kind not served, install its definition, retrying';
  if (failure === 'forbidden') return 'no rights to list and watch the kind, grant them, retrying';
  return 'cannot watch kind, retrying';
}
