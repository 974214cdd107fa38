/** Which cluster of a kubeconfig is asked, by the options of a command. Nothing is loaded here that asks: the help needs no client. */
import type { Command } from 'commander';

/** Undefined is what kubectl would take. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

export function withClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <FILE>', 'the kubeconfig; that of KUBECONFIG, or ~/.kube/config, unless said')
    .option('--context <NAME>', 'the context of the kubeconfig that is used; the current one unless said');
}

export function clusterChoice(command: Command): ClusterChoice {
  const { kubeconfig, context } = command.opts<Partial<ClusterChoice>>();
  return { kubeconfig, context };
}
