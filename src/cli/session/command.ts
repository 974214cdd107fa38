/** `ssvirt login`, `logout` and `whoami`. */
import type { Command } from 'commander';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { withProfile, profileOf } from '../api/asking.ts';
import type { LogInOptions } from './log-in.ts';

export function registerLogInCommand(program: Command): void {
  const command = program
    .command('login')
    .description('log in to a server, and remember it as a profile')
    .argument('[URL]', 'the address of the server; SSVIRT_URL where it is left out')
    .requiredOption('-u, --user <USER@ORGANIZATION>', 'as whom; the organization of the provider is System')
    .option(
      '--password-file <FILE>',
      'a file with the password, - for the standard input; asked for at the terminal unless said',
    )
    .option('--api-token', 'have an API token made and keep it, so that the session is renewed whenever it has ended')
    .option(
      '--api-token-file <FILE>',
      'log in by an API token that you have, in place of a password; - for the standard input',
    )
    .option(
      '--ca <FILE>',
      'the certificate of the authority that has signed that of the server; SSVIRT_CA where it is left out',
    )
    .option('--insecure-skip-tls-verify', 'do not check the certificate of the server: for trying things out only')
    .option('--profile <NAME>', 'under which name it is remembered; SSVIRT_PROFILE, or else "default", unless said');
  withExamples(
    command,
    [
      'ssvirt login https://cloud.example.org --user ava@acme',
      'ssvirt login https://cloud.example.org --user ava@acme --password-file password.txt --ca ca.pem --api-token',
      'ssvirt login https://cloud.example.org --user administrator@System --profile provider',
    ],
    'as of all commands: see "ssvirt --help"',
  );
  command.action((url: string | undefined) =>
    ended(async () => {
      const { logIn } = await import('./log-in.ts');
      await logIn(url, command.opts<LogInOptions>());
    }),
  );
}

export function registerLogOutCommand(program: Command): void {
  const command = withProfile(program.command('logout').description('end the session, and forget what opened it'));
  withExamples(command, ['ssvirt logout', 'ssvirt logout --profile provider']);
  command.action(() =>
    ended(async () => {
      const { logOut } = await import('./log-out.ts');
      await logOut(profileOf(command));
    }),
  );
}

export function registerWhoAmICommand(program: Command): void {
  const command = withOutput(
    withProfile(program.command('whoami').description('show where you are logged in, and as whom')),
  );
  withExamples(command, ['ssvirt whoami', 'ssvirt whoami -o json']);
  command.action(() =>
    ended(async () => {
      const { showSession } = await import('./who-am-i.ts');
      await showSession(command, outputOf(command));
    }),
  );
}
