/** Commands that change several objects. */
import type { Command } from 'commander';
import { flagsOf } from '../api/asking.ts';
import { Refusal } from '../api/refusal.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';

/** `Bulk` goes on with the other objects when one fails, prints why at once, and sums up in the end. */
export class Bulk<T> {
  readonly #command: Command;
  readonly #all: readonly T[];
  readonly #nameOf: (one: T) => string;
  readonly #failures = new Map<T, CliFailure>();

  constructor(command: Command, all: readonly T[], nameOf: (one: T) => string) {
    this.#command = command;
    this.#all = all;
    this.#nameOf = nameOf;
  }

  /** Resolves to undefined if the action failed. With one object, and without a session, the error is thrown. */
  async attempt<R>(one: T, action: () => Promise<R>): Promise<{ readonly result: R } | undefined> {
    try {
      return { result: await action() };
    } catch (error) {
      const ends = this.#all.length === 1 || !(error instanceof CliFailure);
      if (ends || error.exitCode === exitCodes.notLoggedIn) throw error;
      const failure = error instanceof Refusal ? await error.inFlags(flagsOf(this.#command)) : error;
      this.#failures.set(one, failure);
      note(`ssvirt: ${this.#nameOf(one)}: ${failure.message}`);
      return undefined;
    }
  }

  /** Throws if something failed, with the exit code of the failures if they have the same. */
  end(): void {
    const failures = [...this.#failures];
    const [first] = failures;
    if (first === undefined) return;
    const codes = new Set(failures.map(([, { exitCode }]) => exitCode));
    const names = failures.map(([one]) => this.#nameOf(one)).join(', ');
    throw new CliFailure(
      `${failures.length} of ${this.#all.length} failed: ${names}.`,
      codes.size === 1 ? first[1].exitCode : exitCodes.failed,
    );
  }
}
