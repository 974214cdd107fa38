/** `ssvirt login`, `logout` and `whoami`. */
import type { Command } from 'commander';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { withProfile, profileOf } from '../api/asking.ts';
import type { LogInOptions } from './log-in.ts';

export function registerLogInCommand(program: Command): void {
  const command = program
    .command('login')
    .description('log in to a server, and save it as a profile')
    .argument('[URL]', 'the address of the server; default: SSVIRT_URL')
    .requiredOption('-u, --user <USER@ORGANIZATION>', 'the user; the organization of the provider is System')
    .option('--password-file <FILE>', 'a file with the password, - for standard input; default: ask at the terminal')
    .option('--api-token', 'create an API token and store it, so that the session is renewed when it expires')
    .option('--api-token-file <FILE>', 'log in with an existing API token instead of a password; - for standard input')
    .option('--ca <FILE>', 'the CA certificate of the server; default: SSVIRT_CA')
    .option('--insecure-skip-tls-verify', 'do not verify the certificate of the server: only for tests')
    .option('--profile <NAME>', 'the name of the profile; default: SSVIRT_PROFILE or "default"');
  withExamples(
    command,
    [
      'ssvirt login https://cloud.example.org --user ava@acme',
      'ssvirt login https://cloud.example.org --user ava@acme --password-file password.txt --ca ca.pem --api-token',
      'ssvirt login https://cloud.example.org --user administrator@System --profile provider',
    ],
    'as for all commands: see "ssvirt --help"',
  );
  command.action((url: string | undefined) =>
    ended(async () => {
      const { logIn } = await import('./log-in.ts');
      await logIn(url, command.opts<LogInOptions>());
    }),
  );
}

export function registerLogOutCommand(program: Command): void {
  const command = withProfile(program.command('logout').description('end the session, and delete its tokens'));
  withExamples(command, ['ssvirt logout', 'ssvirt logout --profile provider']);
  command.action(() =>
    ended(async () => {
      const { logOut } = await import('./log-out.ts');
      await logOut(profileOf(command));
    }),
  );
}

export function registerWhoAmICommand(program: Command): void {
  const command = withOutput(withProfile(program.command('whoami').description('show the current server and user')));
  withExamples(command, ['ssvirt whoami', 'ssvirt whoami -o json']);
  command.action(() =>
    ended(async () => {
      const { showSession } = await import('./who-am-i.ts');
      await showSession(command, outputOf(command));
    }),
  );
}
