/** `ssvirt vm-controller` and what it is told by its flags. */
import type { Command } from 'commander';
import { createLogger } from '../../config/log.ts';
import { addExamples } from '../../config/examples.ts';
import { addConfigOptions, configOf } from '../../config/options.ts';

export function registerVmControllerCommand(program: Command): void {
  const command = program
    .command('vm-controller')
    .description('writes into the database what the clusters say of virtual machines, as it happens');
  addConfigOptions(command, 'vm-controller');
  addExamples(command, [
    'ssvirt vm-controller --config /etc/ssvirt/config.yaml',
    'ssvirt vm-controller --database-url postgres://ssvirt@db.example.org:5432/ssvirt',
  ]);
  command.action(async () => {
    const { config } = configOf(command, 'vm-controller');
    const { errorFields } = await import('./error-fields.ts');
    const { runUntilSignal } = await import('../../kube/manager/run-until-signal.ts');
    const { runVmController } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields } });
    await runUntilSignal((signal) => runVmController(config, log, signal), { log });
  });
}
