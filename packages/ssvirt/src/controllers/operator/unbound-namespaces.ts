/** Namespaces in which an operator has no RoleBinding, and so cannot read or write Secrets. */
import type { Client } from '@ssvirt/kube/client/client';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { roleBindings } from '../../fleet/identity/account.ts';

/** `unboundNamespaces` asks the server: a cache may not have the RoleBindings of these namespaces. */
export async function unboundNamespaces(
  client: Client,
  namespaces: readonly string[],
  roleBinding: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await Promise.all(
    namespaces.map((namespace) => find(client, roleBindings, { namespace, name: roleBinding }, { signal })),
  );
  return namespaces.filter((_, at) => found[at] === undefined);
}
