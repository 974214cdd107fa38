import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import type { ApiClient } from '../api/client.ts';
import { dataOf } from '../api/data-of.ts';
import { vapps, vms } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { chosenVdc } from '../vdc/chosen.ts';
import { diskMegabytes } from '../verbs/amounts.ts';
import { vmBody, repeated, withVmOptions, type VmOptions } from '../verbs/vm-options.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';

interface CreateOptions extends VmOptions {
  readonly vdc?: string;
  readonly vapp?: string;
  readonly image?: string;
  readonly dataSource?: string;
  readonly imageUrl?: string;
  readonly blank?: true;
  readonly disk?: readonly string[];
}

export function addCreateVerb(vm: Command): void {
  const command = withVmOptions(
    vm
      .command('create')
      .description('create a virtual machine, in a vApp or standalone')
      .argument('<NAME>', 'the name of the virtual machine')
      .option('--vdc <NAME>', 'the virtual data center; optional if you have only one')
      .option('--vapp <NAME>', 'the vApp to add it to; default: a new one for this virtual machine alone')
      .option('--image <IMAGE>', 'boots from a container disk, such as quay.io/containerdisks/fedora:42')
      .option('--data-source <NAMESPACE/NAME>', 'boots from a copy of a boot image of the catalogs')
      .option('--image-url <URL>', 'boots from an image that is downloaded; requires --disk-size')
      .option('--blank', 'boots from an empty disk; requires --disk-size')
      .addOption(repeated('--disk <NAME=SIZE>', 'an additional disk, such as data=20Gi')),
  );
  finishTaskVerb(command, {
    kind: vms,
    examples: [
      'ssvirt vm create web --image quay.io/containerdisks/fedora:42 --instancetype u1.small --wait',
      'ssvirt vm create db --vdc demo-vdc --image quay.io/containerdisks/fedora:42 --cpus 2 --memory 4Gi --disk data=20Gi --ssh-key-file key.pub',
    ],
    ask: (client, [name = '']) => create(client, name, command.opts<CreateOptions>()),
  });
}

async function create(client: ApiClient, name: string, options: CreateOptions): Promise<Schemas['ChangedVm']> {
  const { vapp, vdc, image, dataSource, imageUrl, blank, disk } = options;
  const body: Schemas['NewVm'] = {
    name,
    ...vmBody(options),
    ...defined({
      image,
      dataSource: dataSource === undefined ? undefined : sourceOf(dataSource),
      url: imageUrl,
      blank,
      disks: disk?.map(diskOf),
    }),
  };
  if (vapp === undefined) {
    const { id: vdcId } = await chosenVdc(client, vdc);
    return dataOf(client.api.POST('/cloudapi/1.0.0/vdcs/{vdcId}/vms', { params: { path: { vdcId } }, body }));
  }
  const inVdc = vdc === undefined ? undefined : `vdc.id==${(await chosenVdc(client, vdc)).id}`;
  const { id: vappId } = await resolved(client, vapps, vapp, { filter: inVdc, by: '--vdc' });
  return dataOf(client.api.POST('/cloudapi/1.0.0/vapps/{vappId}/vms', { params: { path: { vappId } }, body }));
}

function sourceOf(text: string): NonNullable<Schemas['NewVm']['dataSource']> {
  const [namespace, name, ...more] = text.split('/');
  if (namespace === undefined || name === undefined || more.length > 0)
    throw new CliFailure(`--data-source "${text}": write it as NAMESPACE/NAME.`, exitCodes.usage);
  return { namespace, name };
}

function diskOf(text: string): Schemas['NewDisk'] {
  const [name, size, ...more] = text.split('=');
  if (name === undefined || size === undefined || more.length > 0)
    throw new CliFailure(`--disk "${text}": write it as NAME=SIZE, such as data=20Gi.`, exitCodes.usage);
  try {
    return { name, sizeMb: diskMegabytes(size) };
  } catch (error) {
    throw new CliFailure(`--disk "${text}": ${(error as Error).message}`, exitCodes.usage);
  }
}
