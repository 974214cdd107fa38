/** Two examples at least below the help of a command, for folders that may not know the command line of people (src/cli/output). */
import type { Command } from 'commander';

export function addExamples(command: Command, examples: readonly [string, string, ...string[]]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((one) => `  ${one}`).join('\n')}`);
}
