/** `ssvirt order …`: looks at orders of the CloudKit operator, before they are placed and after. Nothing is ever changed. */
import { Option, type Command } from 'commander';
import type { ExitCode } from '../output/exit-code.ts';
import { ending } from './asked.ts';
import { registerReading } from '../cluster/verbs.ts';
import { registerBindNamespace } from '../cluster/bind-namespace.ts';
import { labels } from '../../virt/order/resource.ts';
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

const unknown = '5 when the cluster does not answer, 2 when it could not be found out for another reason';

const codes = {
  validate: `0 when all orders are right, 1 when one is refused, ${unknown}`,
  render: `0 when all orders could be rendered, 1 when one is refused, ${unknown}`,
  diff: `0 when all is the same, 1 when something differs, 4 when there is no such order, ${unknown}`,
  debug: `0 when all is well or under way, 1 when something is wrong, 4 when there is no such order, ${unknown}`,
} as const;

export function registerOrderCommand(program: Command): void {
  const order = program
    .command('order')
    .description('orders of the cloudkit-operator: list, check, render, compare and explain them; nothing is changed');
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
      'print the RoleBinding by which the cloudkit-operator writes Secrets in namespaces, for an administrator to apply; with --orders also the label that binds them',
    examples: [
      'ssvirt order bind-namespace tenant-a --orders orders | kubectl apply --server-side -f -',
      'ssvirt order bind-namespace tenant-a --account-namespace cloud',
    ],
    extend: (command) =>
      command.option('--orders <NAMESPACE>', 'the namespace whose orders may have their objects there'),
    labelsOf: ({ orders }) => (typeof orders === 'string' ? { [labels.project]: orders } : {}),
  });
}

function registerValidate(order: Command): void {
  const command = fromFile(
    order.command('validate').description("check orders by the operator's own rules, before they are placed"),
  )
    .option('--template <ID>', 'in place of a file: the template of an order')
    .option('--parameters <JSON>', 'the parameters that go with --template')
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices(['text', 'json']).default('text'));
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
    order
      .command('render')
      .description('print the objects that would be made of orders, in the order in which they are made'),
  )
    .option('--show-secrets', 'show what is in Secrets, in place of how long it is')
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices(['yaml', 'json']).default('yaml'));
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
      .description('compare what the controller would make of an order with what is there, whoever has made it'),
  ).option('--documented', 'show also the differences that are known, and go when the controller takes over');
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
      .description('one page about an order: what is there, what has happened, what is wrong and what to do'),
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
    .option('-f, --filename <FILE>', 'YAML or JSON with one or several orders; - for the standard input')
    .option('-n, --namespace <NAME>', 'the namespace of orders that name none (default: default)')
    .option(
      '--cluster',
      'ask the cluster too: namespaces, storage classes, OrderTemplates, names that are taken; implied by --kubeconfig and --context',
    );
}

function ofCluster(command: Command): Command {
  return command
    .option('-n, --namespace <NAME>', 'the namespace of the order', 'default')
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices(['text', 'json']).default('text'));
}

function finished(command: Command, name: keyof typeof codes, examples: readonly [string, string]): void {
  addOrderSettings(command).addHelpText(
    'after',
    `\nExamples:\n  ${examples.join('\n  ')}\n\nExit code: ${codes[name]}.`,
  );
}

/** A cluster is asked where somebody said so: a kubeconfig that happens to be there is no reason. */
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
