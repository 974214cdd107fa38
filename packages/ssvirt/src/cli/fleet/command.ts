/** `ssvirt fleet …`: the clusters of an installation, for its operators. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';
import type { ClusterChoice } from '../cluster/choice.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

/** They have no names that another command accepts. */
const orphanFormats = ['table', 'json', 'yaml'] as const;

const supervisor: Selection = ({ path }) => path.startsWith('kube.');

interface FleetOptions {
  readonly context?: string;
  readonly namespace: string;
  readonly timeout: number;
}

export function registerFleetCommand(program: Command): void {
  const fleet = program.command('fleet').description('the clusters that virtual machines run on');
  registerStatus(fleet);
  registerOrphans(fleet);
}

function registerStatus(fleet: Command): void {
  const command = withFleetOptions(
    fleet
      .command('status')
      .description('show the clusters and their states, and whether the supervisor is set up for Machines'),
    new Option(
      '--check',
      'check every cluster now, with the kubeconfigs in the Secrets, instead of showing what was reported',
    ),
  );
  withOutput(command);
  withExamples(
    addConfigOptions(command, 'cli', supervisor),
    ['ssvirt fleet status', 'ssvirt fleet status --check --timeout 5 -o json'],
    '0 when all clusters are Ready and all checks passed, 1 when not, 5 when the supervisor cannot be reached',
  ).action(() =>
    ended(async () => {
      const { showFleetStatus } = await import('./show-status.ts');
      const { check = false } = command.opts<{ readonly check?: boolean }>();
      return showFleetStatus({ ...questionOf(command), live: check, format: outputOf(command) });
    }),
  );
}

function registerOrphans(fleet: Command): void {
  const command = withFleetOptions(
    fleet
      .command('orphans')
      .description(
        'list what Machines that no longer exist have left in the clusters, with the commands that would delete it; deletes nothing',
      ),
  );
  withOutput(command, orphanFormats);
  withExamples(
    addConfigOptions(command, 'cli', supervisor),
    ['ssvirt fleet orphans', 'ssvirt fleet orphans --timeout 60 -o json'],
    '0 when every cluster was read and there is nothing, 1 when not, 5 when the supervisor cannot be reached',
  ).action(() =>
    ended(async () => {
      const { showOrphans } = await import('./show-orphans.ts');
      return showOrphans({ ...questionOf(command), format: outputOf(command) });
    }),
  );
}

function withFleetOptions(command: Command, ...more: readonly Option[]): Command {
  command
    .option('--context <NAME>', 'the context of the kubeconfig; default: the current one')
    .addOption(
      new Option('-n, --namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    );
  for (const option of more) command.addOption(option);
  return command.addOption(
    new Option('--timeout <SECONDS>', 'the timeout for each cluster').argParser(seconds).default(10),
  );
}

function questionOf(command: Command): {
  readonly choice: ClusterChoice;
  readonly namespace: string;
  readonly deadlineMs: number;
} {
  const { namespace, timeout } = command.opts<FleetOptions>();
  return { choice: choiceOf(command), namespace, deadlineMs: timeout * 1000 };
}

/** KUBECONFIG may name several files, as for kubectl. The kubeconfig loader splits it. */
function choiceOf(command: Command): ClusterChoice {
  const { config, sources } = configOf(command, 'cli', supervisor);
  const source = sources.get('kube.kubeconfig');
  const isFromVariable = source?.kind === 'environment' && source.name === 'KUBECONFIG';
  const { context } = command.opts<FleetOptions>();
  return { kubeconfig: isFromVariable ? undefined : config.kube.kubeconfig, context };
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 600)) throw new InvalidArgumentError('Write a number of seconds from 1 to 600.');
  return number;
}
