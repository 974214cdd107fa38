import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { users } from '../api/entity-kinds.ts';
import { ended, withExamples } from '../output/command.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { secretFrom, secretTyped } from '../session/secret-input.ts';
import { named } from '../verbs/named.ts';

interface PasswordOptions {
  readonly passwordFile?: string;
  readonly currentPasswordFile?: string;
  readonly keepApiTokens?: boolean;
}

export function addPasswordVerb(user: Command): void {
  const command = withServer(
    user
      .command('passwd')
      .description('set the password of a user; default: your own')
      .argument('[NAME]', 'name or URN; only administrators can name other users')
      .option(
        '--password-file <FILE>',
        'a file with the new password, - for standard input; default: ask at the terminal',
      )
      .option('--current-password-file <FILE>', 'a file with your current password, when you change your own')
      .option('--keep-api-tokens', 'keep the API tokens of the user; default: revoke them'),
  );
  withExamples(command, ['ssvirt user passwd', 'ssvirt user passwd ava --password-file new.txt']);
  command.action((name: string | undefined) =>
    ended(() =>
      asking(command, async (client) => {
        const { passwordFile, currentPasswordFile, keepApiTokens } = command.opts<PasswordOptions>();
        const me = await dataOf(client.api.GET('/cloudapi/1.0.0/sessions/current'));
        const who: Pick<Schemas['User'], 'id' | 'username'> =
          name === undefined ? { id: me.user.id, username: me.user.name } : await named(client, users, name, command);
        const currentPassword =
          who.id === me.user.id
            ? await given(currentPasswordFile, 'current password', '--current-password-file')
            : undefined;
        const password = await given(passwordFile, 'new password', '--password-file');
        if (passwordFile === undefined && (await typed('the new password again')) !== password)
          throw new CliFailure('the two passwords differ: nothing was changed.', exitCodes.usage);
        const body: Schemas['UserChange'] = { password, ...defined({ currentPassword, keepApiTokens }) };
        await client.api.PUT('/cloudapi/1.0.0/users/{userId}', { params: { path: { userId: who.id } }, body });
        const tokens = keepApiTokens === true ? 'kept' : 'revoked';
        note(`the password of ${who.username} was changed; the API tokens of the user were ${tokens}.`);
      }),
    ),
  );
}

async function given(file: string | undefined, what: string, flag: string): Promise<string> {
  return file === undefined ? secretTyped(`Enter the ${what}: `, `give it with ${flag} FILE.`) : secretFrom(file, what);
}

function typed(what: string): Promise<string> {
  return secretTyped(`Enter ${what}: `, 'give it with --password-file FILE.');
}
