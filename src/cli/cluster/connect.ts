/** How a command reaches the cluster of a kubeconfig: as kubectl does, by the same variable, files and contexts. */
import type { Command } from 'commander';
import type { Client } from '../../kube/client/client.ts';
import { createClient } from '../../kube/client/create.ts';
import { loadKubeconfig } from '../../kube/kubeconfig/load.ts';

/** Undefined is what kubectl would take. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

export interface Connected {
  readonly client: Client;
  /** That of the context. */
  readonly namespace: string;
  /** For people: which context, or which server where there is none. */
  readonly where: string;
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

/** The connections end with what is done. */
export async function connected<T>(
  { kubeconfig: path, context }: ClusterChoice,
  component: string,
  doing: (connected: Connected) => Promise<T>,
): Promise<T> {
  const source = await loadKubeconfig({
    ...(path === undefined ? {} : { path }),
    ...(context === undefined ? {} : { context }),
  });
  const client = createClient({ cluster: 'local', source, userAgent: `ssvirt-${component}` });
  try {
    const where = source.context === undefined ? source.server : `context "${source.context}"`;
    return await doing({ client, namespace: source.namespace, where });
  } finally {
    await client.close();
  }
}
