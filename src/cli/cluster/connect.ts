/** How a command reaches the cluster of a kubeconfig: as kubectl does, by the same variable, files and contexts. */
import type { Client } from '../../kube/client/client.ts';
import { createClient } from '../../kube/client/create.ts';
import { loadKubeconfig } from '../../kube/kubeconfig/load.ts';
import type { ClusterChoice } from './choice.ts';

export interface Connected {
  readonly client: Client;
  /** That of the context. */
  readonly namespace: string;
  /** For people: which context, or which server where there is none. */
  readonly where: string;
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
