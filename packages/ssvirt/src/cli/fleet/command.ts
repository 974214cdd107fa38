/** `ssvirt fleet …`: the clusters of an installation, for its operators. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';
import type { ClusterChoice } from '../cluster/choice.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

const supervisor: Selection = ({ path }) => path.startsWith('kube.');

interface StatusOptions {
  readonly context?: string;
  readonly namespace: string;
  readonly check?: boolean;
  readonly timeout: number;
}

export function registerFleetCommand(program: Command): void {
  const fleet = program.command('fleet').description('the clusters that virtual machines run on');
  const command = fleet
    .command('status')
    .description('show the clusters and their states, and whether the supervisor is set up for Machines')
    .option('--context <NAME>', 'the context of the kubeconfig; default: the current one')
    .addOption(
      new Option('-n, --namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .option(
      '--check',
      'check every cluster now, with the kubeconfigs in the Secrets, instead of showing what was reported',
    )
    .addOption(new Option('--timeout <SECONDS>', 'the timeout for each cluster').argParser(seconds).default(10));
  withOutput(command);
  withExamples(
    addConfigOptions(command, 'cli', supervisor),
    ['ssvirt fleet status', 'ssvirt fleet status --check --timeout 5 -o json'],
    '0 when all clusters are Ready and all checks passed, 1 when not, 5 when the supervisor cannot be reached',
  ).action(() =>
    ended(async () => {
      const { showFleetStatus } = await import('./show-status.ts');
      const { namespace, check = false, timeout } = command.opts<StatusOptions>();
      const deadlineMs = timeout * 1000;
      return showFleetStatus({
        choice: choiceOf(command),
        namespace,
        live: check,
        deadlineMs,
        format: outputOf(command),
      });
    }),
  );
}

/** KUBECONFIG may name several files, as for kubectl. The kubeconfig loader splits it. */
function choiceOf(command: Command): ClusterChoice {
  const { config, sources } = configOf(command, 'cli', supervisor);
  const source = sources.get('kube.kubeconfig');
  const isFromVariable = source?.kind === 'environment' && source.name === 'KUBECONFIG';
  const { context } = command.opts<StatusOptions>();
  return { kubeconfig: isFromVariable ? undefined : config.kube.kubeconfig, context };
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 600)) throw new InvalidArgumentError('Write a number of seconds from 1 to 600.');
  return number;
}
