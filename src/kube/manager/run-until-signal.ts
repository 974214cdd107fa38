/** The entry of a process: runs until it is told to end, and ends it with a code that says how it went. */
import type { Logger } from 'pino';

export interface ProcessOptions {
  readonly log: Logger;
  /** SIGTERM and SIGINT unless said. */
  readonly signals?: readonly NodeJS.Signals[];
}

/**
 * The first signal asks it to stop, a second one ends the process at once. When `run` has ended the process is ended, whatever else may still be
 * going on in it: after a lost lease nothing of it may go on.
 */
export async function runUntilSignal(
  run: (signal: AbortSignal) => Promise<void>,
  { log, signals = ['SIGTERM', 'SIGINT'] }: ProcessOptions,
): Promise<never> {
  const stop = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (stop.signal.aborted) {
      log.error({ signal: name }, 'second signal received, exiting now');
      process.exit(1);
    }
    log.info({ signal: name }, 'signal received, stopping; a second signal exits at once');
    stop.abort();
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    await run(stop.signal);
  } catch (error) {
    log.fatal({ err: error }, 'ended with an error');
    process.exit(1);
  }
  process.exit(0);
}
