import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { User } from '../api/entities.ts';
import { users } from '../api/kinds.ts';
import { ended, withExamples } from '../output/command.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { secretFrom, secretTyped } from '../session/secret-input.ts';
import { named } from '../verbs/named.ts';

interface PasswordOptions {
  readonly passwordFile?: string;
  readonly currentPasswordFile?: string;
}

export function addPasswordVerb(user: Command): void {
  const command = withServer(
    user
      .command('passwd')
      .description('give a user another password: yourself unless named')
      .argument('[NAME]', 'its name or its URN; only administrators name others')
      .option(
        '--password-file <FILE>',
        'a file with the new password, - for the standard input; asked for at the terminal unless said',
      )
      .option('--current-password-file <FILE>', 'a file with the one that you have, when it is your own'),
  );
  withExamples(command, ['ssvirt user passwd', 'ssvirt user passwd ava --password-file new.txt']);
  command.action((name: string | undefined) =>
    ended(() =>
      asking(command, async (client) => {
        const { passwordFile, currentPasswordFile } = command.opts<PasswordOptions>();
        const me = await client.get<{ readonly user: { readonly id: string; readonly name: string } }>(
          '/cloudapi/1.0.0/sessions/current',
        );
        const who: Pick<User, 'id' | 'username'> =
          name === undefined ? { id: me.user.id, username: me.user.name } : await named(client, users, name, command);
        const currentPassword =
          who.id === me.user.id
            ? await given(currentPasswordFile, 'current password', '--current-password-file')
            : undefined;
        const password = await given(passwordFile, 'new password', '--password-file');
        if (passwordFile === undefined && (await typed('the new password again')) !== password)
          throw new CliFailure('the two are not the same: nothing was changed.', exitCodes.usage);
        const body = { password, ...(currentPassword === undefined ? {} : { currentPassword }) };
        await client.ask('PUT', `${users.path}/${who.id}`, { body });
        note(`${who.username} has another password now.`);
      }),
    ),
  );
}

async function given(file: string | undefined, what: string, flag: string): Promise<string> {
  return file === undefined ? secretTyped(`The ${what}: `, `give it by ${flag} FILE.`) : secretFrom(file, what);
}

function typed(what: string): Promise<string> {
  return secretTyped(`And ${what}: `, 'give it by --password-file FILE.');
}
