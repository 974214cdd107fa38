/** `ssvirt machine adopt NAME` and what it is told by its flags. */
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
        'let the operator adopt the VirtualMachine of a Machine that was there before it; shows what would change, and asks',
      ),
    'Machine',
  )
    .addOption(new Option('--dry-run', 'show what would change, and change nothing').conflicts('yes'))
    .option('--yes', 'do not ask')
    .option('--in-cluster <NAME>', 'the KubevirtConfig to look in, for a Machine that is placed nowhere yet')
    .addOption(
      new Option('--configs-namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices([...pageFormats]).default('text'));
  withExamples(
    withClusterOptions(command),
    ['ssvirt machine adopt web -n team-a --dry-run', 'ssvirt machine adopt team-a/web --yes -o json'],
    '0 when it can be adopted, or nothing has to be, 1 when it is refused, 4 when there is no such Machine, 5 when the supervisor does not answer',
  ).action((asked: string) =>
    inCluster(command, 'machine', async ({ client, namespace }) => {
      const { adoptMachine } = await import('./adopt.ts');
      const { configsNamespace, inCluster: cluster, ...options } = command.opts<Options>();
      const question = {
        ...keyOfName(command, asked, namespace),
        configsNamespace,
        ...(cluster === undefined ? {} : { cluster }),
      };
      // Whoever is asked takes his time.
      return adoptMachine({ client, signal: AbortSignal.timeout(10 * deadlineMs) }, question, options);
    }),
  );
}
