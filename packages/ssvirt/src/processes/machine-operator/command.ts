/** `ssvirt machine-operator` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '@ssvirt/base/config/log';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf } from '@ssvirt/base/config/options';

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
    const { errorFields } = await import('@ssvirt/kube/error-fields');
    const { runUntilSignal } = await import('@ssvirt/kube/manager/run-until-signal');
    const { runMachineOperator } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields }, spelledOut: true });
    await runUntilSignal((signal) => runMachineOperator(config, log, signal), { log });
  });
}
