/**
 * `runUntilSignal` is the entry point of a process: it runs until a signal and exits with a code that tells how it
 * ended.
 */
import type { Logger } from 'pino';

export interface ProcessOptions {
  readonly log: Logger;
  /** The default is SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[];
}

/**
 * The first signal stops `run`, a second one exits at once. When `run` has ended the process exits, whatever else is
 * still running: after a lost lease nothing may continue.
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
