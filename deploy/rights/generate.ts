/** Writes docs/provider/rights.md: the rights of each process in each cluster, as deploy/rbac grants them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
export const pageFile = join(root, 'docs/provider/rights.md');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
}

const introduction = `# Who may do what

<!-- Written by \`make docs\` from deploy/rbac. -->

Each process has its own ServiceAccount in \`ssvirt-system\`, with only the rights that its code uses. A test suite exercises each process under these rights: it fails on every forbidden request and on every right that is
granted but never used, and it removes rights one at a time to check that each is necessary. No rule uses a wildcard. \`rbac.withoutBindings\` leaves out bindings that you create yourself in single namespaces.

## Secrets

An account that can create and read a Secret of type \`kubernetes.io/service-account-token\` can take over every account of that namespace, and in \`kube-system\` the cluster. Therefore no account of ssvirt has rights on Secrets in all namespaces: a RoleBinding grants the roles for Secrets
in each namespace that needs them.

| account | namespaces | ClusterRole | who creates the RoleBinding |
| --- | --- | --- | --- |
| API server | of VDCs | \`ssvirt-api-server-vdc\` | the API server, with the namespace; it restores a changed RoleBinding |
| API server | of VDCs, in clusters that serve \`template.openshift.io\` | \`ssvirt-api-server-templates\` | the same |
| machine-operator | of Machines in member clusters: created by the operator, or opened by \`vitistack.io/allow-machines\` | \`ssvirt-machine-operator-secrets\` | the operator |
| machine-operator | of the supervisor, if Machines there have cloud-init data | \`ssvirt-machine-operator-secrets\` | an administrator: \`ssvirt machine bind-namespace\` |
| cloudkit-operator | of orders and of their tenants | \`ssvirt-cloudkit-operator-secrets\` | an administrator: \`ssvirt order bind-namespace\` |
| API server, vm-controller, machine-operator | \`kubevirt-configs\` | a Role there, which grants reading | the installation |

In a namespace without the RoleBinding, a Machine or an order gets the reason \`SecretsForbidden\` and a message with the command that prints the RoleBinding. Never bind one of these ClusterRoles by a ClusterRoleBinding.

## Policies

Roles cannot express "Secrets of this type" or "my own RoleBinding". The ValidatingAdmissionPolicies in [\`deploy/rbac/policies.yaml\`](../../deploy/rbac/policies.yaml) do, only for the four accounts of ssvirt. The chart and the plain manifests
install them if the cluster supports them (Kubernetes 1.30 and later); in member clusters, apply them together with the roles.

| policy | the accounts of ssvirt |
| --- | --- |
| \`ssvirt-secrets\` | may write only Secrets of type \`Opaque\` with a label of ssvirt. May change and delete only Secrets that have a mark already: a label of ssvirt, its annotation \`ssvirt.io/parent\`, the label of AAP's objects for an order, or the label \`vitistack.io/machine\` of the original operator |
| \`ssvirt-rolebindings\` | may write RoleBindings only in namespaces with a label of ssvirt (or \`vitistack.io/allow-machines\` with the value \`true\` or the identity of a supervisor), only of their own roles and only to themselves |
| \`ssvirt-namespaces\` | may create only namespaces with a label of ssvirt, and change and delete only those of VDCs: an existing namespace cannot get the label |
| \`ssvirt-roles\` | may not write roles, ClusterRoleBindings or ServiceAccounts, and may not request tokens |

What an account may create also gives it rights: a VM shows its guest the Secrets, ServiceAccount tokens and claims that it names, and CDI sends Secrets to the address that a disk is imported from. These policies keep the accounts to their own namespaces:

| policy | the accounts of ssvirt |
| --- | --- |
| \`ssvirt-objects\` | may write VMs, disks, claims, networks, network policies, quotas, ConfigMaps, Services and TemplateInstances only in namespaces of VDCs (the API server), of Machines (the machine-operator), and where an administrator has bound their role for Secrets. In the supervisor the machine-operator may write in other namespaces too, but there nothing that refers to a Secret. Never in \`kube-*\`, \`openshift-*\`, \`kubevirt\`, \`cdi\`, \`kubevirt-configs\` and their own namespace |
| \`ssvirt-virtual-machines\` | may attach only disks, cloud-init data, Secrets and ConfigMaps to VMs: no ServiceAccount and no file of a node |
| \`ssvirt-templateinstances\` | may instantiate templates of OpenShift only with objects of these kinds, in the same namespace. OpenShift creates them with rights of its own, so the policies above do not see them |
| \`ssvirt-configmaps-services\` | may create only ConfigMaps and Services with a label of ssvirt, and change and delete only those of orders |

The policies allow what a VM that the machine-operator adopts already has. They do not limit what their roles grant on other objects: deleting VMs and disks, power and consoles of VMs in all namespaces. In the supervisor, the machine-operator can attach any claim of a namespace that is not listed above, since namespaces of Machines have no mark there:
bind \`ssvirt-machine-operator\` in single namespaces (\`rbac.withoutBindings\`) if that is too much.

**Kubernetes 1.29 has no such policies.** Rights on Secrets are still limited to single namespaces. But an attacker with a token of the API server, of the machine-operator or of the cloudkit-operator can become administrator of each cluster in which that account may write VMs: by a VM in \`kube-system\` that has the token of an account there.
The accounts of the API server, and of the machine-operator in member clusters, can also bind their role for Secrets in \`kube-system\`, and the account of the cloudkit-operator can change ConfigMaps there. The account of the vm-controller can do none of this.
`;

const files = [
  ['## The API server in its own cluster', 'api-server.yaml'],
  ['## The API server in every other cluster', 'api-server-member.yaml'],
  ['## The vm-controller in its own cluster', 'vm-controller.yaml'],
  ['## The vm-controller in every other cluster', 'vm-controller-member.yaml'],
  ['## The machine-operator in its own cluster', 'machine-operator.yaml'],
  ['## The machine-operator in every other cluster', 'machine-operator-member.yaml'],
  ['## The cloudkit-operator', 'cloudkit-operator.yaml'],
] as const;

export function page(): string {
  return [introduction, ...files.map(([heading, file]) => `${heading}\n\n${table(file)}`)].join('\n');
}

function table(file: string): string {
  const text = readFileSync(join(root, 'deploy/rbac', file), 'utf8');
  const roles = parseAllDocuments(text).map((document) => document.toJS() as Role);
  const rows = roles.flatMap(({ metadata, rules = [] }) => rules.map((rule) => row(metadata, rule)));
  return `From [\`deploy/rbac/${file}\`](../../deploy/rbac/${file}).\n\n| role | where | on | may |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function row({ name, namespace }: Role['metadata'], { apiGroups, resources, resourceNames, verbs }: Rule): string {
  const groups = apiGroups.filter((group) => group !== '').join(', ');
  const only = resourceNames === undefined ? '' : `, only ${resourceNames.map((one) => `\`${one}\``).join(', ')}`;
  const what = `${resources.map((one) => `\`${one}\``).join(', ')}${groups === '' ? '' : ` of ${groups}`}${only}`;
  return `| \`${name}\` | ${namespace === undefined ? 'everywhere' : `\`${namespace}\``} | ${what} | ${verbs.join(', ')} |`;
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '')
  writeFileSync(pageFile, page());
