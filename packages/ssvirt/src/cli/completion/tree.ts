/** The command tree for shell completion, taken from the parser itself. */
import { defined } from '@ssvirt/base/values/defined';
import type { Command } from 'commander';

export interface Node {
  /** The words that lead to it, without "ssvirt"; empty for the command itself. */
  readonly path: string;
  readonly description: string;
  /** Its subcommands, or the choices of its first argument. */
  readonly words: readonly { readonly word: string; readonly description: string }[];
  readonly flags: readonly FlagWord[];
  /** The noun whose `list` prints candidates for the first argument; absent if nothing can be listed. */
  readonly names?: string;
}

export interface FlagWord {
  readonly word: string;
  readonly description: string;
  /** Whether the flag takes a value. */
  readonly hasValue: boolean;
  readonly choices: readonly string[];
}

/** Flags whose value is the name of an object that the noun of the same name can list. */
export const flagsOfNames = ['--vdc', '--vapp', '--org', '--profile'] as const;

/** `listing` prints names, one per line; prints nothing if the user is not logged in. */
export const listing = (noun: string): string => `ssvirt ${noun} list -o name 2>/dev/null`;

export function nodesOf(command: Command, path: readonly string[] = []): readonly Node[] {
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
  const names = namesOf(command, path);
  const node: Node = {
    path: path.join(' '),
    description: command.description(),
    words: [
      ...shown.map((one) => ({ word: one.name(), description: firstOf(one.description()) })),
      ...(command.registeredArguments[0]?.argChoices ?? []).map((word) => ({ word, description: '' })),
    ],
    flags: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, short, description, required, argChoices }) =>
        [long, short].flatMap((word) =>
          word === undefined || word === null
            ? []
            : [{ word, description: firstOf(description), hasValue: required, choices: argChoices ?? [] }],
        ),
      ),
    ...defined({ names }),
  };
  return [node, ...shown.flatMap((one) => nodesOf(one, [...path, one.name()]))];
}

const listable = new Set(['vm', 'vapp', 'vdc', 'catalog', 'org', 'user', 'role', 'token']);

/** API objects have names that can be listed quickly; an object that is being created has no name yet. */
function namesOf(command: Command, path: readonly string[]): string | undefined {
  const [noun = '', verb] = path;
  const [first] = command.registeredArguments;
  if (first === undefined || verb === 'create' || verb === 'instantiate') return undefined;
  if (noun === 'profile') return 'profile';
  return listable.has(noun) ? noun : undefined;
}

function firstOf(text: string): string {
  return (text.split(/[;:(]/)[0] ?? '').trim();
}
