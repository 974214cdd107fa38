/** `ssvirt token …`: API tokens, with which programs log in. */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import { parseDuration } from '@ssvirt/base/config/duration';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { tokens } from '../api/account-kinds.ts';
import { asking, withProfile } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { CliFailure } from '../output/failure.ts';
import { note, say } from '../output/streams.ts';
import { addDeleteVerb } from '../verbs/delete-verb.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';

export function registerTokenCommand(program: Command): void {
  const token = program.command('token').description('API tokens, with which programs log in: list, create, revoke');
  addListVerb(token, {
    description: 'list your API tokens; as an administrator, those of the organization',
    examples: ['ssvirt token list', 'ssvirt token list --name "ci*" -o json'],
    easy: ['name'],
    canWatch: false,
    kind: () => tokens,
  });
  addGetVerb(token, tokens, {
    canWatch: false,
    examples: ['ssvirt token get ci', 'ssvirt token get ci -o yaml'],
  });
  addCreate(token);
  addDeleteVerb(token, tokens, {
    name: 'revoke',
    description: 'revoke API tokens, and end their sessions',
    examples: ['ssvirt token revoke ci', 'ssvirt token revoke ci nightly --yes'],
  });
}

function addCreate(token: Command): void {
  const command = withProfile(
    token
      .command('create')
      .description(
        'create an API token of yours and print it, once; log in with your password within five minutes before',
      )
      .argument('<NAME>', 'what it is for'),
  ).addOption(
    new Option(
      '--expires-in <DURATION>',
      'its lifetime, such as 720h; default: the longest that the server allows',
    ).argParser(lifetime),
  );
  withExamples(withOutput(command, ['table', 'json', 'yaml']), [
    'ssvirt token create ci > ci.token',
    'ssvirt token create nightly --expires-in 720h -o json',
  ]);
  command.action((name: string) =>
    ended(() =>
      asking(command, async (client) => {
        const { data } = await import('../output/print.ts');
        const { expiresIn } = command.opts<{ readonly expiresIn?: number }>();
        const { org } = await dataOf(client.api.GET('/cloudapi/1.0.0/sessions/current'));
        const made = await client.newApiToken({ org: org.name, name, ...defined({ expiresIn }) });
        if (made === undefined) throw new CliFailure('the server did not hand out the API token: create it again.');
        const format = outputOf(command);
        if (format === 'json' || format === 'yaml')
          return say(data(format, { ...(await tokenOf(client.api, made.id)), token: made.secret }));
        say(`${made.secret}\n`);
        note(`${name}: created. The token is not shown again.`);
      }),
    ),
  );
}

function tokenOf(api: Parameters<typeof tokens.get>[0], id: string): Promise<Schemas['Token']> {
  return tokens.get(api, `urn:vcloud:token:${id}`);
}

/** In seconds. */
function lifetime(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1000)
    throw new InvalidArgumentError('Write a duration of a second or more, such as 720h.');
  return Math.floor(ms / 1000);
}
