import { exitCodes, type ExitCode } from './exit-code.ts';

/** `CliFailure` ends a command with one sentence for the user: what could not be done, to what, why, and what to do. */
export class CliFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}

/** Nothing has that name, or the user may not see it. */
export class Absent extends CliFailure {
  constructor(message: string) {
    super(message, exitCodes.notFound);
    this.name = 'Absent';
  }
}
