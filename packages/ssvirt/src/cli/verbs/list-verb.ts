/** `ssvirt NOUN list`: all objects, and with --watch their changes. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import type { Kind } from '../api/kind.ts';
import { megabytes, wholeNumber } from './amounts.ts';
import { ended, outputOf, withExamples, withOutput, type Examples } from '../output/command.ts';

export interface ListOptions {
  readonly filter?: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly watch?: boolean;
  readonly name?: string;
  readonly status?: string;
  readonly vdc?: string;
  readonly vapp?: string;
  readonly owner?: string;
  readonly address?: string;
  readonly guestOs?: string;
  readonly cpus?: number;
  readonly memory?: number;
}

/** The simple filter flags of a list; each becomes a part of the filter. */
export type EasyFlag = 'name' | 'status' | 'vdc' | 'vapp' | 'owner' | 'address' | 'guestOs' | 'cpus' | 'memory';

const flags: Readonly<Record<EasyFlag, () => Option>> = {
  name: () => new Option('--name <PATTERN>', 'only objects with this name; * matches any text'),
  status: () => new Option('--status <STATUS>', 'only objects with this status, such as powered_on'),
  vdc: () => new Option('--vdc <NAME>', 'only objects in this virtual data center (name or URN)'),
  vapp: () => new Option('--vapp <NAME>', 'only objects in this vApp (name or URN)'),
  owner: () => new Option('--owner <PATTERN>', 'only objects that this user created; * matches any text'),
  address: () => new Option('--address <IP>', 'only objects with this IP address'),
  guestOs: () => new Option('--guest-os <PATTERN>', 'only objects with this guest system; * matches any text'),
  cpus: () => new Option('--cpus <N>', 'only objects with this number of vCPUs').argParser(wholeNumber),
  memory: () => new Option('--memory <AMOUNT>', 'only objects with this memory, such as 4Gi').argParser(megabytes),
};

export interface ListVerb<T extends Entity> {
  readonly description: string;
  readonly examples: Examples;
  readonly easy: readonly EasyFlag[];
  /** The fields by which the API sorts the list, for the help. */
  readonly sorts?: readonly string[];
  /** A function, because the kind may depend on the arguments, as for the items of a catalog. */
  readonly kind: (client: ApiClient, args: readonly string[]) => Kind<T> | Promise<Kind<T>>;
  readonly canWatch?: boolean;
  readonly name?: string;
  readonly argument?: readonly [string, string];
}

export function addListVerb<T extends Entity>(noun: Command, verb: ListVerb<T>): Command {
  const command = withServer(noun.command(verb.name ?? 'list').description(verb.description))
    .option(
      '--filter <FIQL>',
      'a filter of the API, such as "name==web*;status==POWERED_ON": == != =gt= =ge= =lt= =le=, ; means "and", a comma means "or"',
    )
    .option(
      '--sort <FIELD>',
      `the field to sort by${verb.sorts === undefined ? '' : `: ${verb.sorts.join(', ')}`}; -FIELD sorts descending`,
    )
    .addOption(new Option('--limit <N>', 'the maximum number of rows').argParser(countOf));
  if (verb.argument !== undefined) command.argument(...verb.argument);
  for (const flag of verb.easy) command.addOption(flags[flag]());
  if (verb.canWatch !== false) command.option('-w, --watch', 'keep watching, and print a line for each change');
  withExamples(withOutput(command), verb.examples);
  command.action((...given: unknown[]) =>
    ended(() =>
      asking(command, async (client) => {
        const { showList } = await import('./show-list.ts');
        const args = given.filter((one) => typeof one === 'string');
        const kind = await verb.kind(client, args);
        return showList(client, kind, { ...command.opts<ListOptions>(), format: outputOf(command) });
      }),
    ),
  );
  return command;
}

export function countOf(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 1 to 9999999.');
  return Number(text);
}
