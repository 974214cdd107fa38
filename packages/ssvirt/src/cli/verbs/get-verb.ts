/** `ssvirt NOUN get NAME`: one object, and with --watch its changes. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import type { Kind } from '../api/kind.ts';
import { ended, outputOf, withExamples, withOutput, type Examples } from '../output/command.ts';
import { say } from '../output/streams.ts';

export interface GetVerb<T extends Entity> {
  readonly examples: Examples;
  /** The page that `-o table` shows instead of a row. */
  readonly detail?: (client: ApiClient, one: T) => Promise<string>;
  /** Whether --vdc can tell objects with the same name apart. */
  readonly inVdc?: boolean;
  readonly canWatch?: boolean;
}

export function addGetVerb<T extends Entity>(noun: Command, kind: Kind<T>, verb: GetVerb<T>): Command {
  const command = withServer(
    noun
      .command('get')
      .description(`show a ${kind.singular}`)
      .argument(...nameArgument(kind)),
  );
  if (verb.inVdc === true) withVdc(command);
  if (verb.canWatch !== false) command.option('-w, --watch', 'keep watching, and print a line for each change');
  withExamples(withOutput(command), verb.examples);
  command.action((name: string) =>
    ended(() =>
      asking(command, async (client) => {
        const [{ named }, { printOne }] = await Promise.all([import('./named.ts'), import('../output/print.ts')]);
        const one = await named(client, kind, name, command);
        const format = outputOf(command);
        if (command.opts<{ readonly watch?: boolean }>().watch !== true) {
          // The list has fewer fields than the object itself: a vApp in the list lacks its VMs.
          const whole = await kind.get(client.api, one.id);
          if (format === 'table' && verb.detail !== undefined) say(await verb.detail(client, whole));
          else printOne(kind.view, format, whole);
          return;
        }
        const { watch } = await import('./watch.ts');
        return watch(client, kind, { entity: one.id, format });
      }),
    ),
  );
  return command;
}

export function withVdc(command: Command): Command {
  return command.option('--vdc <NAME>', 'the virtual data center that it is in, if the name is ambiguous');
}

export function nameArgument<T extends Entity>({ nameField }: Kind<T>, many = false): [string, string] {
  const word = nameField === undefined ? 'URN' : 'NAME';
  return [`<${word}${many ? '...' : ''}>`, nameField === undefined ? 'the URN' : 'name or URN'];
}
