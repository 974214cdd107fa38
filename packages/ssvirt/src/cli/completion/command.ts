/** `ssvirt completion SHELL`: prints the script with which a shell completes commands, flags and names. */
import { Argument, type Command } from 'commander';
import { ended, withExamples } from '../output/command.ts';
import { say } from '../output/streams.ts';

type Shell = 'bash' | 'zsh' | 'fish';

export function registerCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(['bash', 'zsh', 'fish'] satisfies Shell[]));
  withExamples(command, [
    'source <(ssvirt completion bash)',
    'ssvirt completion fish > ~/.config/fish/completions/ssvirt.fish',
  ]);
  command.action((shell: Shell) => ended(async () => say(await completionFor(program, shell))));
}

export async function completionFor(program: Command, shell: Shell): Promise<string> {
  const { nodesOf } = await import('./tree.ts');
  const nodes = nodesOf(program);
  switch (shell) {
    case 'bash':
      return (await import('./bash.ts')).bashCompletion(nodes);
    case 'zsh':
      return (await import('./zsh.ts')).zshCompletion(nodes);
    case 'fish':
      return (await import('./fish.ts')).fishCompletion(nodes);
  }
}
