/** PUT virtualmachines/migrate: creates a migration for virt-controller. */
import type { JsonObject } from '../../../values/json.ts';
import { serverWords } from '../../server-words.ts';
import { virtualMachineInstanceMigrations } from '../objects.ts';
import { accepted, type SubresourceAnswer } from './answer.ts';
import { instance, virtualMachine, type SubresourceCall } from './call.ts';
import { decode, isDryRun, migrateOptions } from './options.ts';
import { conflict, internal } from './refusals.ts';
import { isRunning } from './power/run-state.ts';

export async function migrate(call: SubresourceCall): Promise<SubresourceAnswer> {
  const { client, namespace, name } = call;
  const options = decode(await call.body(), migrateOptions);
  await virtualMachine(call);
  if (!isRunning(await instance(call))) throw conflict('virtualmachine', name, 'VM is not running');
  const selector = options['addedNodeSelector'] as JsonObject | undefined;
  try {
    await client.create(
      virtualMachineInstanceMigrations,
      {
        metadata: { namespace, generateName: 'kubevirt-migrate-vm-' },
        spec: { vmiName: name, ...(selector !== undefined && { addedNodeSelector: selector }) },
      },
      { dryRun: isDryRun(options) },
    );
  } catch (error) {
    throw internal(serverWords(error));
  }
  return accepted;
}
