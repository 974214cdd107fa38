/** Connects a command to the cluster of a kubeconfig, with the same variable, files and contexts as kubectl. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import { loadKubeconfig } from '@ssvirt/kube/kubeconfig/load';
import type { ClusterChoice } from './choice.ts';

export interface Connected {
  readonly client: Client;
  /** The namespace of the context. */
  readonly namespace: string;
  /** For people: the context, or the server if there is no context. */
  readonly where: string;
}

/** `connected` closes the connections when the action ends. */
export async function connected<T>(
  { kubeconfig: path, context }: ClusterChoice,
  component: string,
  doing: (connected: Connected) => Promise<T>,
): Promise<T> {
  const source = await loadKubeconfig({
    ...defined({ path, context }),
  });
  const client = createClient({ cluster: 'local', source, userAgent: `ssvirt-${component}` });
  try {
    const where = source.context === undefined ? source.server : `context "${source.context}"`;
    return await doing({ client, namespace: source.namespace, where });
  } finally {
    await client.close();
  }
}
