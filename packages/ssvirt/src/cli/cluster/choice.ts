/**
 * Which cluster of a kubeconfig to use, from the options of a command. Imports no client, because the help needs none.
 */
import type { Command } from 'commander';

/** Undefined fields mean the same default as for kubectl. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

export function withClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <FILE>', 'the kubeconfig; default: KUBECONFIG or ~/.kube/config')
    .option('--context <NAME>', 'the context of the kubeconfig; default: the current one');
}

export function clusterChoice(command: Command): ClusterChoice {
  const { kubeconfig, context } = command.opts<Partial<ClusterChoice>>();
  return { kubeconfig, context };
}
