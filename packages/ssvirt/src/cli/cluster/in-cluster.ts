/**
 * Runs a command on the cluster of a kubeconfig. A refusal or a missing response ends it with a sentence and the
 * matching exit code.
 */
import type { Command } from 'commander';
import { ended } from '../output/command.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { clusterChoice } from './choice.ts';
import type { Connected } from './connect.ts';

export function inCluster(
  command: Command,
  component: string,
  doing: (connected: Connected) => Promise<ExitCode | void>,
): Promise<void> {
  return ended(async () => {
    const [{ connected }, { asFailure }] = await Promise.all([import('./connect.ts'), import('./failures.ts')]);
    try {
      return await connected(clusterChoice(command), component, doing);
    } catch (error) {
      throw asFailure(error);
    }
  });
}
