/** `ssvirt reference`: prints docs/cli.md; `make docs` writes the file. */
import type { Command } from 'commander';
import { ended, withExamples } from '../output/command.ts';
import { say } from '../output/streams.ts';

export function registerReferenceCommand(program: Command): void {
  const command = program
    .command('reference', { hidden: true })
    .description('print the reference of all commands, in Markdown');
  withExamples(command, ['ssvirt reference', 'ssvirt reference > docs/cli.md']);
  command.action(() => ended(async () => say((await import('./markdown.ts')).reference(program))));
}
