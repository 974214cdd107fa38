/** Where the operator keeps its objects, as far as a page about a Machine needs it. */
import { Option, type Command } from 'commander';
import type { MachineQuestion } from './gather.ts';

export type MachineContext = Pick<MachineQuestion, 'configsNamespace' | 'operatorNamespace'>;

export function withMachineContext(command: Command): Command {
  return command
    .addOption(
      new Option('--configs-namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .option('--operator-namespace <NAME>', 'the namespace of the operators and their Leases', 'ssvirt-system');
}

export function machineContextOf(command: Command): MachineContext {
  const { configsNamespace, operatorNamespace } = command.opts<MachineContext>();
  return { configsNamespace, operatorNamespace };
}
