/** `ssvirt vdc …`: VDCs, their usage, and what VMs in them can be created from. */
import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { listOf, type PageRequest } from '../api/pages.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { printList } from '../output/print.ts';
import type { View } from '../output/view.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { named } from '../verbs/named.ts';
import { addUsageVerb } from './usage-verb.ts';
import { addVdcWrites } from './write-verbs.ts';

export function registerVdcCommand(program: Command): void {
  const vdc = program
    .command('vdc')
    .description('virtual data centers: list, usage, instance types; create, change and delete as the provider');
  addListVerb(vdc, {
    description: 'list the virtual data centers that you may see',
    examples: ['ssvirt vdc list', 'ssvirt vdc list --org acme -o wide'],
    easy: ['name'],
    kind: () => vdcs,
  });
  addGetVerb(vdc, vdcs, { examples: ['ssvirt vdc get demo-vdc', 'ssvirt vdc get demo-vdc --watch'] });
  addUsageVerb(vdc);
  addOffers(vdc, 'instance-types', {
    description: 'list the instance types for VMs in it',
    view: instanceTypeView,
    list: (vdcId) => (api, query) =>
      dataOf(api.GET('/cloudapi/1.0.0/vdcs/{vdcId}/instanceTypes', { params: { path: { vdcId }, query } })),
  });
  addOffers(vdc, 'preferences', {
    description: 'list the preferences for VMs in it',
    view: preferenceView,
    list: (vdcId) => (api, query) =>
      dataOf(api.GET('/cloudapi/1.0.0/vdcs/{vdcId}/preferences', { params: { path: { vdcId }, query } })),
  });
  addVdcWrites(vdc);
  addDeleteVerb(vdc, vdcs, {
    description: 'delete virtual data centers with everything in their namespaces',
    examples: ['ssvirt vdc delete lab --org acme --wait', 'ssvirt vdc delete lab --org acme --force'],
    force: 'even with VMs in it: they are destroyed with their disks',
    hasTask: true,
  });
}

const instanceTypeView: View<Schemas['InstanceType']> = {
  plural: 'such',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'CPUS', cell: ({ cpus }) => cpus },
    { header: 'MEMORY MB', cell: ({ memoryMb }) => memoryMb },
    { header: 'DISPLAY NAME', cell: ({ displayName }) => displayName },
  ],
};

const preferenceView: View<Schemas['Preference']> = {
  plural: 'such',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'DISPLAY NAME', cell: ({ displayName }) => displayName },
  ],
};

interface Offers<T> {
  readonly description: string;
  readonly view: View<T>;
  readonly list: (vdcId: string) => PageRequest<T>;
}

function addOffers<T>(vdc: Command, verb: string, { description, view, list }: Offers<T>): void {
  const command = withServer(
    vdc
      .command(verb)
      .description(description)
      .argument('[NAME]', 'the virtual data center; optional if you have only one'),
  );
  withExamples(withOutput(command), [`ssvirt vdc ${verb}`, `ssvirt vdc ${verb} demo-vdc -o name`]);
  command.action((name: string | undefined) =>
    ended(() =>
      asking(command, async (client) => {
        const { chosenVdc } = await import('./chosen.ts');
        const { id } =
          name === undefined ? await chosenVdc(client, undefined) : await named(client, vdcs, name, command);
        printList(view, outputOf(command), await listOf(client, list(id)));
      }),
    ),
  );
}
