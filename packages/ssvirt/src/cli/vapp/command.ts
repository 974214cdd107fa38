/** `ssvirt vapp …`: vApps, including their creation from a catalog item. */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import { dataOf } from '../api/data-of.ts';
import { vapps } from '../api/entity-kinds.ts';
import { chosenVdc } from '../vdc/chosen.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb, withVdc } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { named } from '../verbs/named.ts';
import { addPowerVerbs } from '../verbs/power-verbs.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';
import { addWaitVerb } from '../verbs/wait-verb.ts';
import { addInstantiateVerb } from './instantiate-verb.ts';

export function registerVappCommand(program: Command): void {
  const vapp = program.command('vapp').description('vApps: list, instantiate, create, change, power');
  addListVerb(vapp, {
    description: 'list the vApps that you may see',
    examples: ['ssvirt vapp list', 'ssvirt vapp list --vdc demo-vdc --watch'],
    easy: ['name', 'status', 'vdc'],
    kind: () => vapps,
  });
  addGetVerb(vapp, vapps, { inVdc: true, examples: ['ssvirt vapp get shop', 'ssvirt vapp get shop -o yaml'] });
  addInstantiateVerb(vapp);
  addCreate(vapp);
  addEdit(vapp);
  addPowerVerbs(vapp, vapps);
  addWaitVerb(vapp, vapps, 'shop');
  addDeleteVerb(vapp, vapps, {
    description: 'delete vApps with their VMs and disks',
    examples: ['ssvirt vapp delete shop --wait', 'ssvirt vapp delete shop --force --wait=10m'],
    force: 'even while VMs in it run: they stop as in a power failure',
    hasTask: true,
    inVdc: true,
  });
}

function addCreate(vapp: Command): void {
  const command = vapp
    .command('create')
    .description('create an empty vApp; "ssvirt vm create --vapp NAME" adds VMs to it')
    .argument('<NAME>', 'the name of the vApp')
    .option('--vdc <NAME>', 'the virtual data center; optional if you have only one')
    .option('--description <TEXT>', 'free text');
  finishTaskVerb(command, {
    kind: vapps,
    examples: ['ssvirt vapp create shop', 'ssvirt vapp create shop --vdc demo-vdc --description "the shop"'],
    ask: async (client, [name = '']) => {
      const { vdc, description } = command.opts<{ readonly vdc?: string; readonly description?: string }>();
      const { id: vdcId } = await chosenVdc(client, vdc);
      const body: Schemas['NewVapp'] = { ...defined({ description }), name };
      return dataOf(client.api.POST('/cloudapi/1.0.0/vdcs/{vdcId}/vapps', { params: { path: { vdcId } }, body }));
    },
  });
}

function addEdit(vapp: Command): void {
  const command = withVdc(
    vapp
      .command('edit')
      .description('change name or description; options that you leave out change nothing')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new name')
      .option('--description <TEXT>', 'free text'),
  );
  finishTaskVerb(command, {
    kind: vapps,
    examples: ['ssvirt vapp edit shop --name store', 'ssvirt vapp edit shop --description "closed on Sundays"'],
    ask: async (client, [name = '']) => {
      const { name: renamed, description } = command.opts<{ readonly name?: string; readonly description?: string }>();
      const body: Schemas['VappChange'] = changesAsked({ name: renamed, description }, '--name or --description');
      const { id: vappId } = await named(client, vapps, name, command);
      return dataOf(client.api.PUT('/cloudapi/1.0.0/vapps/{vappId}', { params: { path: { vappId } }, body }));
    },
  });
}
