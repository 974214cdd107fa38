/** `ssvirt cloudkit-operator` and its flags. */
import type { Command } from 'commander';
import { createLogger } from '../../config/log.ts';
import { addExamples } from '../../config/examples.ts';
import { addConfigOptions, configOf } from '../../config/options.ts';

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
    const { errorFields } = await import('../../kube/error-fields.ts');
    const { runUntilSignal } = await import('../../kube/manager/run-until-signal.ts');
    const { runCloudkitOperator } = await import('./process.ts');
    const log = createLogger(config.log, { serializers: { err: errorFields }, spelledOut: true });
    await runUntilSignal((signal) => runCloudkitOperator(config, log, signal), { log });
  });
}
