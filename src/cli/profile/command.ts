/** `ssvirt profile …`: the servers that somebody has logged in to. */
import type { Command } from 'commander';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

export function registerProfileCommand(program: Command): void {
  const profile = program.command('profile').description('the servers that you have logged in to: list, use, remove');
  const list = withOutput(profile.command('list').description('list the profiles; * is the one that is used'));
  withExamples(list, ['ssvirt profile list', 'ssvirt profile list -o name']);
  list.action(() => ended(async () => (await import('./actions.ts')).listProfiles(outputOf(list))));

  const use = profile.command('use').argument('<NAME>', 'of the profile').description('use a profile from now on');
  withExamples(use, ['ssvirt profile use provider', 'ssvirt profile use default']);
  use.action((name: string) => ended(async () => (await import('./actions.ts')).useProfile(name)));

  const remove = profile
    .command('remove')
    .argument('<NAME>', 'of the profile')
    .description('forget a profile and its tokens; "ssvirt logout" ends the session at the server first');
  withExamples(remove, ['ssvirt profile remove provider', 'ssvirt logout --profile old && ssvirt profile remove old']);
  remove.action((name: string) => ended(async () => (await import('./actions.ts')).removeProfile(name)));
}
