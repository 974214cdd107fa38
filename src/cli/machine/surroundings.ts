/** Where the operator keeps its objects, as far as a page about a Machine needs it. */
import { Option, type Command } from 'commander';
import type { Question } from './gather.ts';

export type Surroundings = Pick<Question, 'configsNamespace' | 'operatorNamespace'>;

export function withSurroundings(command: Command): Command {
  return command
    .addOption(
      new Option('--configs-namespace <NAME>', 'the namespace of the KubevirtConfigs')
        .env('KUBEVIRT_CONFIGS_NAMESPACE')
        .default('kubevirt-configs'),
    )
    .option('--operator-namespace <NAME>', 'the namespace of the operators and their Leases', 'ssvirt-system');
}

export function surroundingsOf(command: Command): Surroundings {
  const { configsNamespace, operatorNamespace } = command.opts<Surroundings>();
  return { configsNamespace, operatorNamespace };
}
