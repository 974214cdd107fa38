/** `ssvirt events`: all changes that the user may see, as they happen. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

export function registerEventsCommand(program: Command): void {
  const command = withServer(program.command('events').description('show changes as they happen, until Ctrl-C'))
    .option(
      '--kinds <KINDS>',
      'kinds, separated by commas: vm, vapp, task, vdc, catalog, catalogItem, organization, user, cluster',
    )
    .option('--vdc <NAME>', 'only events of this virtual data center (name or URN)');
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
