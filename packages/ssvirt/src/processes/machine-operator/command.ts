/** `ssvirt machine-operator` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '../../config/log.ts';
import { addExamples } from '../../config/examples.ts';
import { addConfigOptions, configOf } from '../../config/options.ts';

export function registerMachineOperatorCommand(program: Command): void {
  const command = program
    .command('machine-operator')
    .description('creates virtual machines for Machines, in one or many clusters');
  addConfigOptions(command, 'machine-operator');
  addExamples(command, [
    'ssvirt machine-operator --config /etc/ssvirt/config.yaml',
    'ssvirt machine-operator --kubeconfig ~/.kube/config',
  ]);
  command.action(async () => {
    const { config } = configOf(command, 'machine-operator');
    const { errorFields } = await import('../../kube/error-fields.ts');
    const { runUntilSignal } = await import('../../kube/manager/run-until-signal.ts');
    const { runMachineOperator } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields }, spelledOut: true });
    await runUntilSignal((signal) => runMachineOperator(config, log, signal), { log });
  });
}
