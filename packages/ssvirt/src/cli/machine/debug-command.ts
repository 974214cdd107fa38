/** `ssvirt machine debug NAME` and its flags. */
import { Option, type Command } from 'commander';
import { withClusterOptions } from '../cluster/choice.ts';
import { inCluster } from '../cluster/in-cluster.ts';
import { pageFormats, type PageFormat } from '../cluster/page-format.ts';
import { keyOfName, withNamespace } from '../cluster/scope.ts';
import { withExamples } from '../output/command.ts';
import { machineContextOf, withMachineContext } from './context.ts';

const deadlineMs = 60_000;

export function registerMachineDebug(machine: Command): void {
  const command = withMachineContext(
    withNamespace(
      machine
        .command('debug <NAME>')
        .description('one page about a Machine: its spec, its cluster, its history, what is wrong and what to do'),
      'Machine',
    ).addOption(new Option('-o, --output <FORMAT>', 'the output format').choices([...pageFormats]).default('text')),
  );
  withExamples(
    withClusterOptions(command),
    ['ssvirt machine debug web -n team-a', 'ssvirt machine debug team-a/web -o json'],
    '0 when all is well or in progress, 1 when something is wrong, 4 when it does not exist, 5 when the supervisor does not answer',
  ).action((asked: string) =>
    inCluster(command, 'machine', async ({ client, namespace }) => {
      const [{ machineReport }, { printReport }] = await Promise.all([
        import('./debug.ts'),
        import('../cluster/report.ts'),
      ]);
      const question = { ...keyOfName(command, asked, namespace), ...machineContextOf(command) };
      const { output } = command.opts<{ readonly output: PageFormat }>();
      return printReport(await machineReport({ client, signal: AbortSignal.timeout(deadlineMs) }, question), output);
    }),
  );
}
