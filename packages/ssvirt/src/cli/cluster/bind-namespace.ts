/**
 * `ssvirt order bind-namespace` and `ssvirt machine bind-namespace`: print the objects that an administrator applies to
 * grant an operator access to namespaces. They change nothing.
 */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { say } from '../output/streams.ts';

export interface Binding {
  /** The name of the account, of the ClusterRole without `-secrets`, and of the RoleBinding. */
  readonly process: 'ssvirt-cloudkit-operator' | 'ssvirt-machine-operator';
  /** The namespace in which the operator runs. */
  readonly accountNamespace: string;
  readonly namespaces: readonly string[];
  /** Labels for the Namespaces; Namespaces are printed only if there are labels. */
  readonly labels?: Readonly<Record<string, string>>;
}

export function bindingManifests({ process, accountNamespace, namespaces, labels = {} }: Binding): string {
  const role = `${process}-secrets`;
  const objects = namespaces.flatMap((namespace) => [
    ...(Object.keys(labels).length === 0
      ? []
      : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }]),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: role, namespace, labels: { 'app.kubernetes.io/part-of': 'ssvirt' } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: process, namespace: accountNamespace }],
    },
  ]);
  return objects.map((object) => stringify(object)).join('---\n');
}

export interface BindingCommand {
  readonly process: Binding['process'];
  readonly description: string;
  readonly examples: readonly string[];
  readonly extend?: (command: Command) => Command;
  readonly labelsOf?: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
}

export function registerBindNamespace(parent: Command, binding: BindingCommand): void {
  const { process, description, examples, extend = (command) => command, labelsOf = () => ({}) } = binding;
  const command = extend(
    parent
      .command('bind-namespace <NAMESPACE...>')
      .description(description)
      .option('--account-namespace <NAME>', `the namespace of the ServiceAccount ${process}`, 'ssvirt-system'),
  ).addHelpText(
    'after',
    `\nExamples:\n  ${examples.join('\n  ')}\n\nExit code: 0 on success. Sends no request to a cluster.`,
  );
  command.action((namespaces: readonly string[]) => {
    const options = command.opts<{ readonly accountNamespace: string } & Readonly<Record<string, unknown>>>();
    say(
      bindingManifests({
        process,
        accountNamespace: options.accountNamespace,
        namespaces,
        labels: labelsOf(options),
      }),
    );
  });
}
