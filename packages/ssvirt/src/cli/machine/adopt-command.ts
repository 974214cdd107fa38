/** `ssvirt machine adopt NAME` and its flags. */
import { defined } from '@ssvirt/base/values/defined';
import { Option, type Command } from 'commander';
import { withClusterOptions } from '../cluster/choice.ts';
import { inCluster } from '../cluster/in-cluster.ts';
import { pageFormats } from '../cluster/page-format.ts';
import { keyOfName, withNamespace } from '../cluster/scope.ts';
import { withExamples } from '../output/command.ts';
import type { AdoptOptions } from './adopt.ts';

const deadlineMs = 60_000;

interface Options extends AdoptOptions {
  readonly configsNamespace: string;
  readonly inCluster?: string;
}

export function registerMachineAdopt(machine: Command): void {
  const command = withNamespace(
    machine
      .command('adopt <NAME>')
      .description(
        'let the operator adopt an existing VirtualMachine for a Machine; shows the changes and asks for confirmation',
      ),
    'Machine',
  )
    .addOption(new Option('--dry-run', 'show the changes without making them').conflicts('yes'))
    .option('--yes', 'do not ask for confirmation')
    .option('--in-cluster <NAME>', 'the KubevirtConfig of the cluster to search, for a Machine that is not placed yet')
    .addOption(
      new Option('--configs-namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .addOption(new Option('-o, --output <FORMAT>', 'the output format').choices([...pageFormats]).default('text'));
  withExamples(
    withClusterOptions(command),
    ['ssvirt machine adopt web -n team-a --dry-run', 'ssvirt machine adopt team-a/web --yes -o json'],
    '0 when it can be adopted or nothing needs to be, 1 when adoption is refused, 4 when there is no such Machine, 5 when the supervisor does not answer',
  ).action((asked: string) =>
    inCluster(command, 'machine', async ({ client, namespace }) => {
      const { adoptMachine } = await import('./adopt.ts');
      const { configsNamespace, inCluster: cluster, ...options } = command.opts<Options>();
      const question = {
        ...keyOfName(command, asked, namespace),
        configsNamespace,
        ...defined({ cluster }),
      };
      // The user may take time to answer the question.
      return adoptMachine({ client, signal: AbortSignal.timeout(10 * deadlineMs) }, question, options);
    }),
  );
}
