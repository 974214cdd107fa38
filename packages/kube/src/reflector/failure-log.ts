/**
 * The failure log of a reflector: one line when a kind cannot be watched, one when the failure changes, and one when it
 * works again. A cluster that is down for hours logs one line per kind; retries are logged at debug level.
 */
import type { Logger } from 'pino';
import type { Failure } from './state-machine.ts';

export interface Failed {
  readonly error: Error;
  /** The name of the error, or the kind of the refusal. */
  readonly kind: string;
  readonly failure: Failure;
  readonly failures: number;
  readonly state: string;
}

export class FailureLog {
  readonly #log: Logger | undefined;
  #reportedKind: string | undefined;
  #failures = 0;

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  failed({ error, kind, ...more }: Failed): void {
    const level = kind === this.#reportedKind ? 'debug' : levelOf(more.failure);
    this.#reportedKind = kind;
    this.#failures++;
    // oxlint-disable-next-line architecture/log-messages -- `messageOf` returns one of three constants
    this.#log?.[level]({ ...more, err: error }, messageOf(more.failure));
  }

  works(): void {
    if (this.#reportedKind === undefined) return;
    this.#log?.info({ failures: this.#failures }, 'watch recovered');
    this.#reportedKind = undefined;
    this.#failures = 0;
  }
}

/** Versions expire in normal operation, and a new list is enough. */
function levelOf(failure: Failure): 'info' | 'warn' {
  return failure === 'expired' ? 'info' : 'warn';
}

function messageOf(failure: Failure): string {
  if (failure === 'absent') return 'kind not served, install its definition, retrying';
  if (failure === 'forbidden') return 'no rights to list and watch the kind, grant them, retrying';
  return 'cannot watch kind, retrying';
}
