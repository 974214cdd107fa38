/**
 * `--wait`, `--wait=10m`: without a value it does not take the next argument, which is a name (main.ts ensures that,
 * see command-line.ts).
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDuration } from '@ssvirt/base/config/duration';

const usual = '15m';

export function withWait(command: Command): Command {
  return command.addOption(
    new Option(
      '--wait [=DURATION]',
      `wait until the task has ended, and a VM or vApp that is powered on runs or has failed; show the progress; default timeout: ${usual}`,
    ).argParser(waitMs),
  );
}

/** `waitOf` returns undefined without --wait. */
export function waitOf(command: Command): number | undefined {
  const { wait } = command.opts<{ readonly wait?: number | true }>();
  return wait === true ? waitMs('') : wait;
}

export function waitMs(text: string): number {
  const ms = parseDuration(text.replace(/^=/, '') || usual);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError('Write it as --wait=90s, --wait=10m or --wait=1h.');
  return ms;
}
