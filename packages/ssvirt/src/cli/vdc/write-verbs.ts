/** The provider's commands on VDCs. */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import { Option, type Command } from 'commander';
import { dataOf } from '../api/data-of.ts';
import { organizations, vdcs } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { diskMegabytes, megabytes, wholeNumber } from '../verbs/amounts.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { named } from '../verbs/named.ts';
import { finishTaskVerb } from '../verbs/task-verb.ts';
import { enabledOf, withEnabled } from '../verbs/write-verb.ts';

interface VdcOptions {
  readonly name?: string;
  readonly description?: string;
  readonly cluster?: string;
  readonly vcpus?: number;
  readonly memory?: number;
  readonly storage?: number;
  readonly vms?: number;
  readonly org?: string;
}

/** The default MHz of a vCPU. */
const usualMhz = 1000;

export function addVdcWrites(vdc: Command): void {
  const create = withFields(
    vdc
      .command('create')
      .description('create a virtual data center in an organization (--org)')
      .argument('<NAME>', 'the name of the virtual data center')
      .option('--cluster <NAME>', 'the cluster of the fleet; default: the default cluster'),
  );
  finishTaskVerb(create, {
    kind: vdcs,
    examples: [
      'ssvirt vdc create lab --org acme --vcpus 16 --memory 32Gi --storage 200Gi --vms 20 --wait',
      'ssvirt vdc create lab --org acme --cluster west',
    ],
    ask: async (client, [name = '']) => {
      const options = create.opts<VdcOptions>();
      if (options.org === undefined) throw new CliFailure('no organization given: use --org NAME.', exitCodes.usage);
      const { id: orgId } = await resolved(client, organizations, options.org);
      const { cluster } = options;
      const body: Schemas['NewVdc'] = { ...fieldsOf(options, usualMhz, create), ...defined({ cluster }), name };
      return dataOf(client.api.POST('/api/admin/org/{orgId}/vdcs', { params: { path: { orgId } }, body }));
    },
  });
  const edit = withFields(
    vdc
      .command('edit')
      .description('change a virtual data center; options that you leave out change nothing; 0 means no limit')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new name'),
  );
  finishTaskVerb(edit, {
    kind: vdcs,
    examples: ['ssvirt vdc edit lab --org acme --vms 50 --wait', 'ssvirt vdc edit lab --disable'],
    ask: async (client, [name = '']) => {
      const options = edit.opts<VdcOptions>();
      const one = await named(client, vdcs, name, edit);
      const body: Schemas['VdcChange'] = changesAsked(
        { ...fieldsOf(options, one.vCpuInMhz, edit), name: options.name },
        '--name, --description, --vcpus, --memory, --storage, --vms, --enable or --disable',
      );
      const path = { orgId: one.org.id, vdcId: one.id };
      return dataOf(client.api.PUT('/api/admin/org/{orgId}/vdcs/{vdcId}', { params: { path }, body }));
    },
  });
}

function withFields(command: Command): Command {
  return withEnabled(
    command
      .option('--description <TEXT>', 'free text')
      .addOption(new Option('--vcpus <N>', 'the limit of vCPUs for all VMs').argParser(wholeNumber))
      .addOption(new Option('--memory <AMOUNT>', 'the limit of memory, such as 32Gi').argParser(orNone(megabytes)))
      .addOption(
        new Option('--storage <AMOUNT>', 'the limit of disk space, such as 200Gi').argParser(orNone(diskMegabytes)),
      )
      .addOption(new Option('--vms <N>', 'the limit of VMs').argParser(wholeNumber)),
    'the virtual data center; in a disabled one nothing can be created or powered on',
  );
}

function orNone(parse: (text: string) => number): (text: string) => number {
  return (text) => (text === '0' ? 0 : parse(text));
}

type Fields = Pick<
  Schemas['VdcChange'],
  'description' | 'computeCapacity' | 'storageLimitMb' | 'vmQuota' | 'isEnabled'
>;

function fieldsOf(options: VdcOptions, mhz: number, command: Command): Fields {
  const { description, vcpus, memory, storage, vms } = options;
  const cpu = vcpus === undefined ? undefined : { limit: vcpus * mhz };
  const memoryLimit = memory === undefined ? undefined : { limit: memory };
  const capacity = defined({ cpu, memory: memoryLimit });
  return defined({
    description,
    computeCapacity: Object.keys(capacity).length === 0 ? undefined : capacity,
    storageLimitMb: storage,
    vmQuota: vms,
    isEnabled: enabledOf(command),
  });
}
