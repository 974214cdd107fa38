/** `ssvirt fleet …`: the clusters of an installation, for the person who runs it. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addConfigOptions, configOf, type Selection } from '../config/options.ts';

const supervisor: Selection = ({ path }) => path.startsWith('kube.');

interface StatusOptions {
  readonly context?: string;
  readonly namespace: string;
  readonly check?: boolean;
  readonly timeout: number;
  readonly output: 'table' | 'json';
}

export function registerFleetCommand(program: Command): void {
  const fleet = program.command('fleet').description('the clusters that virtual machines run on');
  const command = fleet
    .command('status')
    .description('show the clusters, how they are, and whether the supervisor has what Machines need')
    .option('--context <NAME>', 'the context of the kubeconfig that is used; the current one unless said')
    .addOption(
      new Option('-n, --namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .option('--check', 'ask every cluster now, by the kubeconfigs in the Secrets, instead of showing what was reported')
    .addOption(
      new Option('--timeout <SECONDS>', 'how long each cluster may take to answer').argParser(seconds).default(10),
    )
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      '\nExit code: 0 when all clusters are Ready and all checks passed, 1 when not, 2 when the supervisor cannot be asked.',
    );
  addConfigOptions(command, 'cli', supervisor).action(async () => {
    const { config } = configOf(command, 'cli', supervisor);
    const { showFleetStatus } = await import('./show-status.ts');
    const { context, namespace, check = false, timeout, output } = command.opts<StatusOptions>();
    const deadlineMs = timeout * 1000;
    process.exitCode = await showFleetStatus({
      kubeconfig: config.kube.kubeconfig,
      context,
      namespace,
      live: check,
      deadlineMs,
      output,
    });
  });
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 600)) throw new InvalidArgumentError('It is to be a number of seconds from 1 to 600.');
  return number;
}
