/** `ssvirt vm disk …` */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import { Option, type Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { vms } from '../api/entity-kinds.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { printList } from '../output/print.ts';
import type { View } from '../output/view.ts';
import { diskMegabytes } from '../verbs/amounts.ts';
import { withVdc } from '../verbs/get-verb.ts';
import { named } from '../verbs/named.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';

const view: View<Schemas['Disk']> = {
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
      const { id: vmId } = await named(client, vms, name, add);
      const body: Schemas['NewDisk'] = { name: diskName, sizeMb: size, ...defined({ storageClass }) };
      return dataOf(client.api.POST('/cloudapi/1.0.0/vms/{vmId}/disks', { params: { path: { vmId } }, body }));
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
    question: ([name = '', diskName = '']) => `Remove the disk ${diskName} of ${name} with its data?`,
    ask: async (client, [name = '', diskName = '']) => {
      const { id: vmId } = await named(client, vms, name, remove);
      const path = { vmId, disk: diskName };
      return dataOf(client.api.DELETE('/cloudapi/1.0.0/vms/{vmId}/disks/{disk}', { params: { path } }));
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
        const { id: vmId } = await named(client, vms, name, command);
        const { values } = await dataOf(
          client.api.GET('/cloudapi/1.0.0/vms/{vmId}/disks', { params: { path: { vmId } } }),
        );
        printList(view, outputOf(command), values);
      }),
    ),
  );
}
