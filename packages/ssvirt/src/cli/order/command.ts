/**
 * `ssvirt order …`: examines orders of the CloudKit operator, before and after they are created. It changes nothing.
 */
import { Option, type Command } from 'commander';
import type { ExitCode } from '../output/exit-code.ts';
import { ending } from './asked.ts';
import { registerReading } from '../cluster/verbs.ts';
import { registerBindNamespace } from '../cluster/bind-namespace.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import type { ClusterChoice } from '../cluster/choice.ts';
import { addOrderSettings, orderSettings, type OrderSettings } from './settings.ts';

interface FileOptions {
  readonly filename?: string;
  readonly namespace?: string;
  readonly template?: string;
  readonly parameters?: string;
  readonly cluster?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
}

const unknown = '5 when the cluster does not answer, 2 when the check failed for another reason';

const codes = {
  validate: `0 when all orders are valid, 1 when one is refused, ${unknown}`,
  render: `0 when all orders could be rendered, 1 when one is refused, ${unknown}`,
  diff: `0 when nothing differs, 1 when something differs, 4 when there is no such order, ${unknown}`,
  debug: `0 when all is well or in progress, 1 when something is wrong, 4 when there is no such order, ${unknown}`,
} as const;

export function registerOrderCommand(program: Command): void {
  const order = program
    .command('order')
    .description('orders of the cloudkit-operator: list, validate, render, diff and debug them; nothing is changed');
  registerReading(
    order,
    { noun: 'order', word: 'order', plural: 'orders', name: 'web', namespace: 'orders' },
    async () => (await import('./shown.ts')).shownOrders,
  );
  registerValidate(order);
  registerRender(order);
  registerDiff(order);
  registerDebug(order);
  registerBindNamespace(order, {
    process: 'ssvirt-cloudkit-operator',
    description:
      'print the RoleBinding that lets the cloudkit-operator write Secrets in namespaces, and with --orders also the label that binds them; an administrator applies it',
    examples: [
      'ssvirt order bind-namespace tenant-a --orders orders | kubectl apply --server-side -f -',
      'ssvirt order bind-namespace tenant-a --account-namespace cloud',
    ],
    extend: (command) => command.option('--orders <NAMESPACE>', 'the namespace whose orders may create objects there'),
    labelsOf: ({ orders }) => (typeof orders === 'string' ? { [labels.project]: orders } : {}),
  });
}

function registerValidate(order: Command): void {
  const command = fromFile(
    order.command('validate').description("check orders by the operator's rules, before you create them"),
  )
    .option('--template <ID>', 'instead of a file: the template of an order')
    .option('--parameters <JSON>', 'the parameters for --template')
    .addOption(new Option('-o, --output <FORMAT>', 'the output format').choices(['text', 'json']).default('text'));
  finished(command, 'validate', [
    'ssvirt order validate -f deploy/samples/orders/order-all-parameters.yaml',
    `ssvirt order validate --template osac.templates.ocp_virt_vm --parameters '{"cpu_cores": 4, "memory": "8Gi"}' --cluster`,
  ]);
  command.action(() =>
    ending(async () => {
      const options = command.opts<FileOptions & { readonly output: 'text' | 'json' }>();
      const { settings, choice } = orderSettings(command);
      const { validate } = await import('./validate.ts');
      return validate({ ...options, settings, choice: asked(options, choice) });
    }),
  );
}

function registerRender(order: Command): void {
  const command = fromFile(
    order.command('render').description('print the objects that an order would create, in order of creation'),
  )
    .option('--show-secrets', 'show the contents of Secrets instead of their length')
    .addOption(new Option('-o, --output <FORMAT>', 'the output format').choices(['yaml', 'json']).default('yaml'));
  finished(command, 'render', [
    'ssvirt order render -f deploy/samples/orders/order-controller.yaml',
    'kubectl get virtualmachines.cloudkit.openshift.io web -n orders -o yaml | ssvirt order render -f - --cluster -o json',
  ]);
  command.action(() =>
    ending(async () => {
      const options = command.opts<
        FileOptions & { readonly output: 'yaml' | 'json'; readonly showSecrets?: boolean }
      >();
      const { settings, choice } = orderSettings(command);
      const { render } = await import('./render.ts');
      return render({
        ...options,
        showSecrets: options.showSecrets === true,
        settings,
        choice: asked(options, choice),
      });
    }),
  );
}

function registerDiff(order: Command): void {
  const command = ofCluster(
    order
      .command('diff <NAME>')
      .description(
        'compare the objects that the controller would create for an order with those that exist, whoever created them',
      ),
  ).option('--documented', 'also show known differences, which disappear when the controller takes over');
  finished(command, 'diff', ['ssvirt order diff web -n orders', 'ssvirt order diff web -n orders -o json']);
  command.action((name: string) =>
    looking(command, async (looked) => {
      const { diff } = await import('./diff.ts');
      return diff({ ...looked, name, documented: command.opts<{ documented?: boolean }>().documented === true });
    }),
  );
}

function registerDebug(order: Command): void {
  const command = ofCluster(
    order
      .command('debug <NAME>')
      .description('one page about an order: its objects, its history, what is wrong and what to do'),
  );
  finished(command, 'debug', ['ssvirt order debug web -n orders', 'ssvirt order debug web -n orders -o json']);
  command.action((name: string) =>
    looking(command, async (looked) => {
      const { debug } = await import('./debug.ts');
      return debug({ ...looked, name });
    }),
  );
}

function fromFile(command: Command): Command {
  return command
    .option('-f, --filename <FILE>', 'YAML or JSON with one or more orders; - for standard input')
    .option('-n, --namespace <NAME>', 'the namespace for orders without one (default: default)')
    .option(
      '--cluster',
      'also check against the cluster: namespaces, storage classes, OrderTemplates, names in use; implied by --kubeconfig and --context',
    );
}

function ofCluster(command: Command): Command {
  return command
    .option('-n, --namespace <NAME>', 'the namespace of the order', 'default')
    .addOption(new Option('-o, --output <FORMAT>', 'the output format').choices(['text', 'json']).default('text'));
}

function finished(command: Command, name: keyof typeof codes, examples: readonly [string, string]): void {
  addOrderSettings(command).addHelpText(
    'after',
    `\nExamples:\n  ${examples.join('\n  ')}\n\nExit code: ${codes[name]}.`,
  );
}

/** A cluster is used only if a flag names one. An existing default kubeconfig is not enough. */
function asked({ cluster, kubeconfig, context }: FileOptions, choice: ClusterChoice): ClusterChoice | undefined {
  return cluster === true || kubeconfig !== undefined || context !== undefined ? choice : undefined;
}

export interface Looked {
  readonly namespace: string;
  readonly output: 'text' | 'json';
  readonly settings: OrderSettings;
  readonly choice: ClusterChoice;
}

function looking(command: Command, action: (looked: Looked) => Promise<ExitCode>): Promise<void> {
  return ending(async () => {
    const { namespace, output } = command.opts<Pick<Looked, 'namespace' | 'output'>>();
    return action({ namespace, output, ...orderSettings(command) });
  });
}
