import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import type { ApiClient } from '../api/client.ts';
import { dataOf } from '../api/data-of.ts';
import { vapps } from '../api/entity-kinds.ts';
import { itemNamed } from '../catalog/item-named.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { chosenVdc } from '../vdc/chosen.ts';
import { vmBody, repeated, withVmOptions, type VmOptions } from '../verbs/vm-options.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';

interface InstantiateOptions extends VmOptions {
  readonly item: string;
  readonly vdc?: string;
  readonly param?: readonly string[];
}

export function addInstantiateVerb(vapp: Command): void {
  const command = withVmOptions(
    vapp
      .command('instantiate')
      .description('create a vApp with its VMs from a catalog item')
      .argument('<NAME>', 'the name of the vApp')
      .requiredOption(
        '--item <[CATALOG/]ITEM>',
        'the item: its name, with the catalog if the name is ambiguous, or its URN',
      )
      .option('--vdc <NAME>', 'the virtual data center; optional if you have only one')
      .addOption(repeated('-p, --param <NAME=VALUE>', 'a parameter of the item (listed by "ssvirt catalog item get")')),
  );
  finishTaskVerb(command, {
    kind: vapps,
    examples: [
      'ssvirt vapp instantiate shop --item Templates/fedora-server-small -p NAME=shop-web --wait',
      'ssvirt vapp instantiate lab --item Images/fedora --vdc demo-vdc --instancetype u1.medium',
    ],
    ask: (client, [name = '']) => instantiate(client, name, command.opts<InstantiateOptions>()),
  });
}

async function instantiate(
  client: ApiClient,
  name: string,
  options: InstantiateOptions,
): Promise<Schemas['InstantiatedVapp']> {
  const { item, vdc, param } = options;
  const parameters = param === undefined ? {} : { parameters: Object.fromEntries(param.map(parameterOf)) };
  const { id: vdcId } = await chosenVdc(client, vdc);
  const { id } = await itemNamed(client, item);
  const catalogItem = { id };
  const body: Schemas['Instantiation'] = { name, catalogItem, ...parameters, ...vmBody(options) };
  return dataOf(
    client.api.POST('/cloudapi/1.0.0/vdcs/{vdcId}/actions/instantiateTemplate', { params: { path: { vdcId } }, body }),
  );
}

function parameterOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  // The text is not repeated: it may be a secret whose parameter name was forgotten.
  throw new CliFailure('--param: write it as NAME=VALUE.', exitCodes.usage);
}
