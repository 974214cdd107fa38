/** `ssvirt vm-controller` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '@ssvirt/base/config/log';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf } from '@ssvirt/base/config/options';

export function registerVmControllerCommand(program: Command): void {
  const command = program
    .command('vm-controller')
    .description('writes the status of virtual machines from the clusters into the database as it changes');
  addConfigOptions(command, 'vm-controller');
  addExamples(command, [
    'ssvirt vm-controller --config /etc/ssvirt/config.yaml',
    'SSVIRT_DATABASE_URL=postgres://ssvirt@db.example.org:5432/ssvirt ssvirt vm-controller',
  ]);
  command.action(async () => {
    const { config } = configOf(command, 'vm-controller');
    const { errorFields } = await import('../../controllers/vm-status/error-fields.ts');
    const { runUntilSignal } = await import('@ssvirt/kube/manager/run-until-signal');
    const { runVmController } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields } });
    await runUntilSignal((signal) => runVmController(config, log, signal), { log });
  });
}
