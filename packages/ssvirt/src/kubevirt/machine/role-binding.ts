/** The RoleBinding through which the machine-operator reads and writes Secrets in a namespace of Machines. */
import type { MachineIdentity } from './identity.ts';
import { labels, managedBy, type MachineProblem } from './resource.ts';

export const roleBindingName = 'ssvirt-machine-operator-secrets';
/** Defined in deploy/rbac; no ClusterRoleBinding refers to it. */
const roleName = 'ssvirt-machine-operator-secrets';

export interface RoleBindingLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: readonly Readonly<Record<string, string>>[];
}

/**
 * `subject` is the operator's own account in that cluster. It is the same for every supervisor that uses the namespace:
 * the successor of a lost supervisor finds the binding as it needs it, and two supervisors do not overwrite each
 * other's.
 */
export function wantedRoleBinding(
  { namespace }: Pick<MachineIdentity, 'namespace'>,
  subject: Readonly<Record<string, string>>,
): RoleBindingLike {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {
      name: roleBindingName,
      namespace,
      labels: { [labels.managedBy]: managedBy },
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleName },
    subjects: [subject],
  };
}

/**
 * `secretsProblem` explains how to give the operator access to the Secrets of a namespace: in the supervisor, only an
 * administrator may bind the role.
 */
export function secretsProblem(namespace: string, cluster: string, isSupervisor: boolean): MachineProblem {
  const wayOut = isSupervisor
    ? `ask an administrator to apply the output of "ssvirt machine bind-namespace ${namespace}"`
    : `apply deploy/rbac/machine-operator-member.yaml there, whose ClusterRole ${roleName} is bound in that namespace`;
  return {
    reason: 'SecretsForbidden',
    message: `The machine-operator has no rights on Secrets in namespace "${namespace}" of cluster "${cluster}": ${wayOut}.`,
  };
}
