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
granted and never needed; and rights are taken away one at a time, in turn, to see that each is missed. Nothing is granted by a star. What can be granted in one namespace is a Role there (its Lease, and the KubevirtConfigs with their Secrets); the rest is in all namespaces,
since that is where virtual data centers, Machines and orders are. \`rbac.withoutBindings\` leaves out bindings that you make yourself, in single namespaces.

Secrets are the ones to look at. The API server never lists them but in \`kubevirt-configs\`: in other clusters it writes what machines are told at their first start and reads nothing but what it has made for a template of OpenShift. The two
operators watch the metadata of Secrets that bear their labels, for which Kubernetes has no rule, so that they need \`list\` and \`watch\` on all; leave out the binding \`ssvirt-machine-operator-secrets\` and bind it in the namespaces
that have Machines with \`cloudInit.secretRef\`, where they are few.
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
