/** `ssvirt profile …`: the servers that the user has logged in to. */
import type { Command } from 'commander';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';

export function registerProfileCommand(program: Command): void {
  const profile = program.command('profile').description('the servers that you have logged in to: list, use, remove');
  const list = withOutput(profile.command('list').description('list the profiles; * marks the current one'));
  withExamples(list, ['ssvirt profile list', 'ssvirt profile list -o name']);
  list.action(() => ended(async () => (await import('./actions.ts')).listProfiles(outputOf(list))));

  const use = profile
    .command('use')
    .argument('<NAME>', 'the name of the profile')
    .description('make a profile the current one');
  withExamples(use, ['ssvirt profile use provider', 'ssvirt profile use default']);
  use.action((name: string) => ended(async () => (await import('./actions.ts')).useProfile(name)));

  const remove = profile
    .command('remove')
    .argument('<NAME>', 'the name of the profile')
    .description('remove a profile and its tokens; run "ssvirt logout" first to end the session on the server');
  withExamples(remove, ['ssvirt profile remove provider', 'ssvirt logout --profile old && ssvirt profile remove old']);
  remove.action((name: string) => ended(async () => (await import('./actions.ts')).removeProfile(name)));
}
