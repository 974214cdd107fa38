/**
 * Predicts what the operator does about the Secrets of a VirtualMachine that it adopts. In a member it has the rights of
 * the user of this command, who connects with the same Secret; in the supervisor it has its own.
 */
import { keyOf } from '@ssvirt/kube/object';
import { resourceName } from '@ssvirt/kube/resource-type';
import { mayI, roleBindings } from '../../fleet/identity/account.ts';
import { localName } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import type { MachineProblem } from '../../kubevirt/machine/resource.ts';
import { roleBindingName, secretsProblem } from '../../kubevirt/machine/role-binding.ts';
import type { ClusterReader, ClusterReaderOptions } from '../cluster/cluster-reader.ts';

export interface SecretQuestion {
  readonly namespace: string;
  readonly cluster: string;
  /** The Secrets that the VirtualMachine uses. */
  readonly used: readonly string[];
  /** Whether the user may read the Secrets of the namespace. */
  readonly isRead: boolean;
}

export type SecretForecast = { readonly notes: readonly string[] } | { readonly problem: MachineProblem };

export async function forecastSecrets(
  look: ClusterReader,
  { client, signal }: ClusterReaderOptions,
  { namespace, cluster, used, isRead }: SecretQuestion,
): Promise<SecretForecast> {
  const isLocal = cluster === localName;
  if (used.length === 0)
    return {
      notes: isRead ? [] : ['the virtual machine uses no Secret: it is adopted also without rights on Secrets'],
    };
  if (isRead && !isLocal) return { notes: [] };
  const key = { namespace, name: roleBindingName };
  const binding = await look.at(roleBindings, key);
  const isUnknown = look.unread.has(resourceName(roleBindings));
  const problem = secretsProblem(namespace, cluster, isLocal);
  const names = used.map((name) => `Secret "${keyOf({ namespace, name })}"`).join(', ');
  const checks = `the operator checks who owns ${names}, and refuses the adoption if it is not this Machine`;
  if (isLocal) {
    if (binding !== undefined) return { notes: isRead ? [] : [checks] };
    if (!isRead && !isUnknown) return { problem };
    const state = isUnknown ? 'cannot be read' : 'does not exist';
    const refusal = `RoleBinding "${keyOf(key)}" ${state}: without rights on Secrets the operator refuses the adoption with ${problem.reason}. ${problem.message}`;
    return { notes: isRead ? [refusal] : [refusal, checks] };
  }
  if (binding !== undefined || isUnknown) return { problem };
  const access = { verb: 'create', group: roleBindings.group, resource: roleBindings.plural, namespace };
  if (!(await mayI(client, access, { signal }))) return { problem };
  return { notes: [`the operator first creates RoleBinding "${keyOf(key)}", to read Secrets`, checks] };
}
