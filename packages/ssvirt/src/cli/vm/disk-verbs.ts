/** `ssvirt vm disk …` */
import { Option, type Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ListedDisk } from '../api/entities.ts';
import { vms } from '../api/entity-kinds.ts';
import { listOf } from '../api/pages.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { printList } from '../output/print.ts';
import type { View } from '../output/view.ts';
import { diskMegabytes } from '../verbs/amounts.ts';
import { withVdc } from '../verbs/get-verb.ts';
import { defined } from '../verbs/vm-options.ts';
import { named } from '../verbs/named.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';

const view: View<ListedDisk> = {
  plural: 'disks',
  name: ({ name }) => name,
  columns: [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'SIZE MB', cell: ({ sizeMb }) => sizeMb },
    { header: 'BOOT', cell: ({ boot }) => boot },
  ],
};

export function addDiskVerbs(vm: Command): void {
  const disk = vm.command('disk').description('disks of a virtual machine: list, add, remove');
  addList(disk);
  const add = withVdc(
    disk
      .command('add')
      .description('add an empty disk to a virtual machine, running or not')
      .argument('<VM>', 'the virtual machine: name or URN')
      .argument('<DISK>', 'the name of the disk')
      .addOption(new Option('--size <AMOUNT>', 'such as 20Gi').argParser(diskMegabytes).makeOptionMandatory())
      .option('--storage-class <NAME>', 'default: the default storage class of the cluster'),
  );
  finishTaskVerb(add, {
    kind: vms,
    examples: [
      'ssvirt vm disk add web data --size 20Gi --wait',
      'ssvirt vm disk add web logs --size 5Gi --storage-class fast',
    ],
    ask: async (client, [name = '', diskName = '']) => {
      const { size, storageClass } = add.opts<{ readonly size: number; readonly storageClass?: string }>();
      const { id } = await named(client, vms, name, add);
      const body = defined({ name: diskName, sizeMb: size, storageClass });
      return (await client.ask('POST', `${vms.path}/${id}/disks`, { body })).body;
    },
  });
  const remove = withVdc(
    disk
      .command('remove')
      .description('remove a disk from a virtual machine, with its data')
      .argument('<VM>', 'the virtual machine: name or URN')
      .argument('<DISK>', 'the name of the disk'),
  );
  finishTaskVerb(remove, {
    kind: vms,
    examples: ['ssvirt vm disk remove web data --wait', 'ssvirt vm disk remove web data --vdc demo-vdc'],
    ask: async (client, [name = '', diskName = '']) => {
      const { id } = await named(client, vms, name, remove);
      return (await client.ask('DELETE', `${vms.path}/${id}/disks/${encodeURIComponent(diskName)}`)).body;
    },
  });
}

function addList(disk: Command): void {
  const command = withVdc(
    withServer(
      disk
        .command('list')
        .description('list the disks of a virtual machine')
        .argument('<VM>', 'the virtual machine: name or URN'),
    ),
  );
  withExamples(withOutput(command), ['ssvirt vm disk list web', 'ssvirt vm disk list web -o json']);
  command.action((name: string) =>
    ended(() =>
      asking(command, async (client) => {
        const { id } = await named(client, vms, name, command);
        printList(view, outputOf(command), await listOf<ListedDisk>(client, `${vms.path}/${id}/disks`));
      }),
    ),
  );
}
