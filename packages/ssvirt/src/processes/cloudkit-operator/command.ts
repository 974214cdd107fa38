/** `ssvirt cloudkit-operator` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '@ssvirt/base/config/log';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf } from '@ssvirt/base/config/options';

export function registerCloudkitOperatorCommand(program: Command): void {
  const command = program
    .command('cloudkit-operator')
    .description('creates virtual machines for orders, or delegates them to AAP');
  addConfigOptions(command, 'cloudkit-operator');
  addExamples(command, [
    'ssvirt cloudkit-operator --config /etc/ssvirt/config.yaml',
    'ssvirt cloudkit-operator --kubeconfig ~/.kube/config',
  ]);
  command.action(async () => {
    const { config } = configOf(command, 'cloudkit-operator');
    const { errorFields } = await import('@ssvirt/kube/error-fields');
    const { runUntilSignal } = await import('@ssvirt/kube/manager/run-until-signal');
    const { runCloudkitOperator } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields }, spelledOut: true });
    await runUntilSignal((signal) => runCloudkitOperator(config, log, signal), { log });
  });
}
