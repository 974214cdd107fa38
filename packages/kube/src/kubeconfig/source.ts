/** `KubeconfigSource` is a connection source that knows its place in the kubeconfig. */
import type { ConnectionSource } from '../connection.ts';
import { serverOf } from './address.ts';
import { chooseContext } from './choose.ts';
import { connectionsOf } from './connections.ts';
import type { Kubeconfig } from './document.ts';
import type { ExecOptions } from './exec/exec-credentials.ts';

export interface KubeconfigSource extends ConnectionSource {
  /** `https://host:port/prefix`, for display. */
  readonly server: string;
  /** The context in use; undefined in a pod. */
  readonly context: string | undefined;
  /** The context's namespace; `default` if it has none. */
  readonly namespace: string;
  readonly contexts: readonly ContextSummary[];
}

export interface ContextSummary {
  readonly name: string;
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

export function kubeconfigSource(
  kubeconfig: Kubeconfig,
  context: string | undefined,
  options: ExecOptions,
): KubeconfigSource {
  const choice = chooseContext(kubeconfig, context);
  return {
    ...connectionsOf(choice, options),
    server: serverOf(choice.cluster),
    context: choice.context.name,
    namespace: choice.context.namespace ?? 'default',
    contexts: Array.from(kubeconfig.contexts.values(), ({ name, cluster, user, namespace }) => ({
      name,
      cluster,
      user,
      namespace,
    })),
  };
}
