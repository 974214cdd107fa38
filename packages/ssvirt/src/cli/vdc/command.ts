/** `ssvirt vdc …`: VDCs, their usage, and what VMs in them can be created from. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ListedVdc } from '../api/entities.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { listOf } from '../api/pages.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { printList } from '../output/print.ts';
import type { View } from '../output/view.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { named } from '../verbs/named.ts';
import { addUsageVerb } from './usage-verb.ts';
import { addVdcWrites, adminPath } from './write-verbs.ts';

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
  addOffers(vdc, 'instance-types', 'instanceTypes', 'list the instance types for VMs in it');
  addOffers(vdc, 'preferences', 'preferences', 'list the preferences for VMs in it');
  addVdcWrites(vdc);
  addDeleteVerb<ListedVdc>(vdc, vdcs, {
    description: 'delete virtual data centers with everything in their namespaces',
    examples: ['ssvirt vdc delete lab --org acme --wait', 'ssvirt vdc delete lab --org acme --force'],
    force: 'even with VMs in it: they are destroyed with their disks',
    hasTask: true,
    path: adminPath,
  });
}

interface Offer {
  readonly name: string;
  readonly displayName?: string;
  readonly cpus?: number;
  readonly memoryMb?: number;
}

const offerView: View<Offer> = {
  plural: 'such',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'CPUS', cell: ({ cpus }) => cpus },
    { header: 'MEMORY MB', cell: ({ memoryMb }) => memoryMb },
    { header: 'DISPLAY NAME', cell: ({ displayName }) => displayName },
  ],
};

/** Preferences have no size columns. */
const preferenceView: View<Offer> = {
  ...offerView,
  columns: offerView.columns.filter(({ header }) => header.endsWith('NAME')),
};

function addOffers(vdc: Command, verb: string, path: string, description: string): void {
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
        const all = await listOf<Offer>(client, `${vdcs.path}/${id}/${path}`);
        printList(path === 'preferences' ? preferenceView : offerView, outputOf(command), all);
      }),
    ),
  );
}
