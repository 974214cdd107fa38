import type { Schemas } from '@ssvirt/api-client/client';
import { Option, type Command } from 'commander';
import { dataOf } from '../api/data-of.ts';
import { vms } from '../api/entity-kinds.ts';
import { megabytes, wholeNumber } from '../verbs/amounts.ts';
import { withVdc } from '../verbs/get-verb.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { named } from '../verbs/named.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';

interface EditOptions {
  readonly name?: string;
  readonly description?: string;
  readonly cpus?: number;
  readonly memory?: number;
  readonly instancetype?: string;
}

export function addEditVerb(vm: Command): void {
  const command = withVdc(
    vm
      .command('edit')
      .description('change name, description or size; options that you leave out change nothing')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new name')
      .option('--description <TEXT>', 'free text')
      .addOption(new Option('--cpus <N>', 'the number of vCPUs').argParser(wholeNumber))
      .addOption(new Option('--memory <AMOUNT>', 'memory, such as 4Gi or 4096 (MB)').argParser(megabytes))
      .option('--instancetype <NAME>', 'another instance type, for a virtual machine that has one'),
  );
  finishTaskVerb(command, {
    kind: vms,
    examples: [
      'ssvirt vm edit web --cpus 4 --memory 8Gi --wait',
      'ssvirt vm edit web --name www --description "the web server"',
    ],
    ask: async (client, [name = '']) => {
      const { cpus, memory, instancetype, description, name: renamed } = command.opts<EditOptions>();
      const body: Schemas['VmChange'] = changesAsked(
        { name: renamed, description, cpus, memoryMb: memory, instancetype },
        '--name, --description, --cpus, --memory or --instancetype',
      );
      const { id: vmId } = await named(client, vms, name, command);
      return dataOf(client.api.PUT('/cloudapi/1.0.0/vms/{vmId}', { params: { path: { vmId } }, body }));
    },
  });
}
