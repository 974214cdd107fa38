import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';
import type { ApiClient } from '../api/client.ts';
import { dataOf } from '../api/data-of.ts';
import { organizations, users } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { secretFrom } from '../session/secret-input.ts';
import { changesAsked } from '../verbs/changes-asked.ts';
import { repeated } from '../verbs/vm-options.ts';
import { named } from '../verbs/named.ts';
import { enabledOf, finishWriteVerb, withEnabled } from '../verbs/write-verb.ts';

interface UserOptions {
  readonly name?: string;
  readonly fullName?: string;
  readonly email?: string;
  readonly description?: string;
  readonly role?: readonly string[];
  readonly passwordFile?: string;
  readonly unlock?: boolean;
  readonly org?: string;
}

export function addUserWrites(user: Command): void {
  const create = withFields(
    user
      .command('create')
      .description('create a user')
      .argument('<NAME>', 'the user name for log-in')
      .option(
        '--password-file <FILE>',
        'a file with the password, - for standard input; a user without a password cannot log in',
      ),
  );
  finishWriteVerb(create, {
    view: users.view,
    examples: [
      'ssvirt user create ava --role "vApp Author" --password-file password.txt',
      'ssvirt user create uwe --org acme --role "vApp User" --full-name "Uwe User" --email uwe@example.org',
    ],
    ask: async (client, [username = '']) => {
      const options = create.opts<UserOptions>();
      const { passwordFile, org } = options;
      const password = passwordFile === undefined ? undefined : secretFrom(passwordFile, 'password');
      const organizationId = org === undefined ? undefined : (await resolved(client, organizations, org)).id;
      const fields = await fieldsOf(client, options, create);
      const body: Schemas['NewUser'] = { ...defined({ ...fields, password, organizationId }), username };
      return dataOf(client.api.POST('/cloudapi/1.0.0/users', { body }));
    },
  });
  const edit = withFields(
    user
      .command('edit')
      .description('change a user; options that you leave out change nothing; --role replaces all roles')
      .argument('<NAME>', 'name or URN')
      .option('--name <NEW>', 'the new user name')
      .option('--unlock', 'unlock a user after too many failed log-ins'),
  );
  finishWriteVerb(edit, {
    view: users.view,
    examples: [
      'ssvirt user edit ava --disable',
      'ssvirt user edit ava --role "vApp Author" --role "Organization Administrator"',
    ],
    ask: async (client, [name = '']) => {
      const options = edit.opts<UserOptions>();
      const fields = await fieldsOf(client, options, edit);
      const body: Schemas['UserChange'] = changesAsked(
        { ...fields, username: options.name, locked: options.unlock === true ? false : undefined },
        '--name, --full-name, --email, --description, --role, --enable, --disable or --unlock',
      );
      const { id: userId } = await named(client, users, name, edit);
      return dataOf(client.api.PUT('/cloudapi/1.0.0/users/{userId}', { params: { path: { userId } }, body }));
    },
  });
}

function withFields(command: Command): Command {
  return withEnabled(
    command
      .option('--full-name <TEXT>', 'the full name of the person')
      .option('--email <ADDRESS>', 'the email address of the person')
      .option('--description <TEXT>', 'free text')
      .addOption(repeated('--role <NAME>', 'such as "vApp Author"')),
    'the user; a disabled user cannot log in',
  );
}

type Fields = Pick<Schemas['NewUser'], 'fullName' | 'email' | 'description' | 'enabled' | 'roleEntityRefs'>;

async function fieldsOf(
  client: ApiClient,
  { fullName, email, description, role }: UserOptions,
  command: Command,
): Promise<Fields> {
  const roleEntityRefs = role === undefined ? undefined : await rolesNamed(client, role);
  return defined({ fullName, email, description, enabled: enabledOf(command), roleEntityRefs });
}

async function rolesNamed(client: ApiClient, names: readonly string[]): Promise<Schemas['Reference'][]> {
  const all = await listOf(client, (api, query) => dataOf(api.GET('/cloudapi/1.0.0/roles', { params: { query } })));
  return names.map((wanted) => {
    const found = all.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (found !== undefined) return { name: found.name, id: found.id };
    const known = all.map(({ name }) => `"${name}"`).join(', ');
    throw new CliFailure(`there is no role "${wanted}"; the roles are ${known}.`, exitCodes.notFound);
  });
}
