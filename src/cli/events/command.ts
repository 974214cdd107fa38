/** `ssvirt events`: everything that changes and that you may see, as it happens. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

export function registerEventsCommand(program: Command): void {
  const command = withServer(program.command('events').description('show what changes, as it happens, until Ctrl-C'))
    .option(
      '--kinds <KINDS>',
      'of what, with commas between: vm, vapp, task, vdc, catalog, catalogItem, organization, user, cluster',
    )
    .option('--vdc <NAME>', 'only what is in this virtual data center (name or URN)');
  withExamples(withOutput(command, ['table', 'json']), [
    'ssvirt events',
    'ssvirt events --kinds vm,task --vdc demo-vdc -o json',
  ]);
  command.action(() =>
    ended(() =>
      asking(command, async (client) => {
        const { showEvents } = await import('./show-events.ts');
        const { kinds, vdc } = command.opts<{ readonly kinds?: string; readonly vdc?: string }>();
        return showEvents(client, { kinds: kinds?.split(','), vdc }, outputOf(command));
      }),
    ),
  );
}
