/** `ssvirt cluster …`: the clusters of the fleet, from the API. Only the provider may see them. */
import { Option, type Command } from 'commander';
import { asking, withProfile } from '../api/asking.ts';
import { pageFormats, type PageFormat } from '../cluster/page-format.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

export function registerClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('the clusters of the fleet, as the API server and the vm-controller see them; for the provider');
  addList(cluster);
  addGet(cluster);
}

function addList(cluster: Command): void {
  const command = withProfile(
    cluster.command('list').description('list the clusters with their versions, nodes and capacity'),
  );
  withExamples(withOutput(command), ['ssvirt cluster list', 'ssvirt cluster list -o wide']).action(() =>
    ended(() =>
      asking(command, async (client) => {
        const [{ listClusters }, { clusterView }, { printList }] = await Promise.all([
          import('./requests.ts'),
          import('./view.ts'),
          import('../output/print.ts'),
        ]);
        printList(clusterView, outputOf(command), await listClusters(client));
      }),
    ),
  );
}

function addGet(cluster: Command): void {
  const command = withProfile(
    cluster
      .command('get <NAME>')
      .description('show a cluster: its state, versions, nodes, capacity, storage classes and features'),
  ).addOption(new Option('-o, --output <FORMAT>', 'the output format').choices([...pageFormats]).default('text'));
  withExamples(command, ['ssvirt cluster get east', 'ssvirt cluster get east -o json']).action((name: string) =>
    ended(() =>
      asking(command, async (client) => {
        const [{ getCluster }, { clusterPage }, { printReport }, { exitCodes }] = await Promise.all([
          import('./requests.ts'),
          import('./page.ts'),
          import('../cluster/report.ts'),
          import('../output/exit-code.ts'),
        ]);
        const one = await getCluster(client, name);
        const { output } = command.opts<{ readonly output: PageFormat }>();
        return printReport({ code: exitCodes.done, page: clusterPage(one, Date.now()), facts: one }, output);
      }),
    ),
  );
}
