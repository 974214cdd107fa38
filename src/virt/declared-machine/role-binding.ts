/** The RoleBinding by which the machine-operator reads and writes Secrets in a namespace of Machines. */
import type { MachineIdentity } from './identity.ts';
import { labels, managedBy, type Problem } from './resource.ts';

export const roleBindingName = 'ssvirt-machine-operator-secrets';
/** Of deploy/rbac; there is no ClusterRoleBinding for it. */
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
 * `subject` is the operator's own account in that cluster. It is the same for every supervisor that uses the namespace: who comes after one that is lost finds it
 * as it is wanted, and two at a time do not take it from each other.
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

/** `secretsProblem` says who opens a namespace to the operator: the supervisor's are an administrator's to bind. */
export function secretsProblem(namespace: string, cluster: string, isSupervisor: boolean): Problem {
  const wayOut = isSupervisor
    ? `let an administrator apply what "ssvirt machine bind-namespace ${namespace}" prints`
    : `apply deploy/rbac/machine-operator-member.yaml there, whose ClusterRole ${roleName} is bound in that namespace`;
  return {
    reason: 'SecretsForbidden',
    message: `The machine-operator has no rights on Secrets in namespace "${namespace}" of cluster "${cluster}": ${wayOut}.`,
  };
}
