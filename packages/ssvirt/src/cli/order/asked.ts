/**
 * How the order commands end: the exit code is their result, and a failure is one sentence on stderr, with an exit code
 * that means that there is no result.
 */
import type { ClusterChoice } from '../cluster/choice.ts';
import { connected } from '../cluster/connect.ts';
import { asFailure } from '../cluster/failures.ts';
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
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
      // For scripts, 1 is a result: something is wrong with the order.
      throw failure instanceof CliFailure && failure.exitCode === exitCodes.failed
        ? new CliFailure(failure.message, exitCodes.usage)
        : failure;
    }
  });
}

export function withCluster<T>(choice: ClusterChoice, doing: (asking: ClusterReaderOptions) => Promise<T>): Promise<T> {
  return connected(choice, 'order', ({ client }) => doing({ client, signal: AbortSignal.timeout(deadlineMs) }));
}
