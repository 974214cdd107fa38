/** How the commands on orders end: what they found out is their exit code, and whatever goes wrong is one sentence on stderr, with a code that says why nothing was found out. */
import type { ClusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { asFailure } from '../cluster/failures.ts';
import type { Asking } from '../cluster/look.ts';
import { ended } from '../output/command.ts';
import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

const deadlineMs = 60_000;

export function ending(action: () => Promise<ExitCode>): Promise<void> {
  return ended(async () => {
    try {
      return await action();
    } catch (error) {
      const failure = asFailure(error);
      // To a script 1 is an answer: not as it should be.
      throw failure instanceof CliFailure && failure.exitCode === exitCodes.failed
        ? new CliFailure(failure.message, exitCodes.usage)
        : failure;
    }
  });
}

export function withCluster<T>(choice: ClusterChoice, doing: (asking: Asking) => Promise<T>): Promise<T> {
  return connected(choice, 'order', ({ client }) => doing({ client, signal: AbortSignal.timeout(deadlineMs) }));
}
