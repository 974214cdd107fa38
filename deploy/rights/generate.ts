/** Writes docs/provider/rights.md: what each process may do in which cluster, as deploy/rbac grants it. */
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

Each process has a ServiceAccount of its own in \`ssvirt-system\`, with the rights that its code asks for and no others. A suite tells the life of each process under these rights: whatever is refused fails it, and so does whatever is
granted and never needed; and rights are taken away one at a time, in turn, to see that each is missed. Nothing is granted by a star. \`rbac.withoutBindings\` leaves out bindings that you make yourself, in single namespaces.

## Secrets

Whoever can create a Secret of type \`kubernetes.io/service-account-token\` and read it has every account of that namespace, and in \`kube-system\` the whole cluster. So no account of ssvirt has rights on Secrets in all namespaces: the roles for Secrets are bound by a
RoleBinding in each namespace that needs one.

| account | namespaces | ClusterRole | who makes the RoleBinding |
| --- | --- | --- | --- |
| API server | of virtual data centers | \`ssvirt-api-server-vdc\` | the API server, when it makes the namespace; it puts it back where somebody changes it |
| API server | of virtual data centers, in clusters that serve \`template.openshift.io\` | \`ssvirt-api-server-templates\` | the same |
| machine-operator | of Machines in member clusters: made by the operator, or opened by \`vitistack.io/allow-machines\` | \`ssvirt-machine-operator-secrets\` | the operator |
| machine-operator | of the supervisor, whose Machines have cloud-init that is in a Secret or becomes one | \`ssvirt-machine-operator-secrets\` | an administrator: \`ssvirt machine bind-namespace\` |
| cloudkit-operator | of orders and of their tenants | \`ssvirt-cloudkit-operator-secrets\` | an administrator: \`ssvirt order bind-namespace\` |
| API server, vm-controller, machine-operator | \`kubevirt-configs\` | a Role there, which reads | comes with the installation |

A Machine or an order in a namespace without the RoleBinding says so (\`SecretsForbidden\`), with the command that prints it. Never bind one of these ClusterRoles by a ClusterRoleBinding.

## Policies

Roles cannot say "Secrets of this type" or "my own RoleBinding". [\`deploy/rbac/policies.yaml\`](../../deploy/rbac/policies.yaml) has ValidatingAdmissionPolicies that do, for the four accounts of ssvirt and for nobody else. The chart and the plain manifests
bring them where the API server has them (Kubernetes 1.30 and later); in member clusters you apply them beside the roles.

| policy | the accounts of ssvirt |
| --- | --- |
| \`ssvirt-secrets\` | write only Secrets of type \`Opaque\` that bear a label of ssvirt |
| \`ssvirt-rolebindings\` | write RoleBindings only in namespaces that bear a label of ssvirt (or \`vitistack.io/allow-machines\`), only of their own roles and only to themselves |
| \`ssvirt-namespaces\` | make only namespaces that bear a label of ssvirt, and change and delete only those of virtual data centers: the label is never put on a namespace that is there |
| \`ssvirt-roles\` | write no roles, no ClusterRoleBindings and no ServiceAccounts, and ask for no tokens of accounts |

**On Kubernetes 1.29 there are no such policies.** The rights on Secrets are in single namespaces there, too. But the API server's account may write RoleBindings in any namespace, and so may the machine-operator's in member clusters: whoever steals such a token can bind the role for
Secrets in \`kube-system\`, and is an administrator of that cluster. The cloudkit-operator's account, the vm-controller's, and the machine-operator's in the supervisor cannot.
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
