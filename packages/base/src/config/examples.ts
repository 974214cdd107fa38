/** Adds at least two examples to the help of a command. For folders that must not import packages/ssvirt/src/cli/output. */
import type { Command } from 'commander';

export function addExamples(command: Command, examples: readonly [string, string, ...string[]]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((one) => `  ${one}`).join('\n')}`);
}
