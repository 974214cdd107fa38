import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { printList, printOne } from '../output/print.ts';
import type { View } from '../output/view.ts';
import { named } from '../verbs/named.ts';

type UsedResource = Schemas['VdcUsage']['vms'] & { readonly resource: string };

const view: View<UsedResource> = {
  plural: 'resources',
  name: ({ resource }) => resource,
  columns: [
    { header: 'RESOURCE', cell: ({ resource }) => resource },
    { header: 'USED', cell: ({ used }) => used },
    { header: 'LIMIT', cell: ({ limit }) => limit ?? 'none' },
    { header: 'LEFT', cell: ({ available }) => available },
  ],
};

const rows = [
  ['vCPUs', 'vCpus'],
  ['memory MB', 'memory'],
  ['storage MB', 'storage'],
  ['machines', 'vms'],
] as const;

export function addUsageVerb(vdc: Command): void {
  const command = withServer(
    vdc
      .command('usage')
      .description('show the usage of a virtual data center and its remaining capacity')
      .argument('[NAME]', 'the virtual data center; optional if you have only one'),
  );
  withExamples(withOutput(command, ['table', 'json', 'yaml']), [
    'ssvirt vdc usage',
    'ssvirt vdc usage demo-vdc -o json',
  ]);
  command.action((name: string | undefined) =>
    ended(() =>
      asking(command, async (client) => {
        const { chosenVdc } = await import('./chosen.ts');
        const { id: vdcId } =
          name === undefined ? await chosenVdc(client, undefined) : await named(client, vdcs, name, command);
        const usage = await dataOf(
          client.api.GET('/cloudapi/1.0.0/vdcs/{vdcId}/usage', { params: { path: { vdcId } } }),
        );
        const format = outputOf(command);
        if (format === 'json' || format === 'yaml')
          printOne({ ...view, name: () => '' } as View<unknown>, format, usage);
        else
          printList(
            view,
            format,
            rows.map(([resource, field]) => ({ resource, ...usage[field] })),
          );
      }),
    ),
  );
}
