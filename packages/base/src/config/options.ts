/** The config as options of a command: `--config`, and one flag for each key that the process reads. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { schema, type Config } from './keys.ts';
import { loadConfig, type Loaded } from './load.ts';
import { entriesOf, isReadBy, type Entry, type Process } from './schema.ts';

/** Selects the keys for which a command has flags. The default is all keys that its process reads. */
export type Selection = (entry: Entry) => boolean;

const all: Selection = () => true;

/** `addConfigOptions` adds the config flags of a process to its command. */
export function addConfigOptions(command: Command, process: Process, selection: Selection = all): Command {
  command.addOption(configFileOption());
  for (const entry of readBy(process).filter(selection)) command.addOption(optionOf(entry));
  return command;
}

/**
 * Loads the config of a parsed command; throws ConfigError. `selection` must be the one that its flags were added with.
 */
export function configOf(command: Command, process: Process, selection: Selection = all): Loaded<Config> {
  const given: Readonly<Record<string, string | true | undefined>> = command.opts();
  const flags = readBy(process)
    .filter(selection)
    .flatMap((entry) => {
      const value = given[optionOf(entry).attributeName()];
      return value === undefined ? [] : [[entry.path, String(value)] as const];
    });
  const file = given['config'];
  return loadConfig(schema, {
    process,
    env: globalThis.process.env,
    flags: Object.fromEntries(flags),
    ...(typeof file === 'string' ? { file } : {}),
  });
}

export function configFileOption(): Option {
  return new Option('--config <FILE>', 'the config file (default: /etc/ssvirt/config.yaml if it exists)').argParser(
    (text: string) => {
      if (text === '') throw new InvalidArgumentError('Give the name of a file.');
      return text;
    },
  );
}

function readBy(process: Process): readonly Entry[] {
  return entriesOf(schema).filter((entry) => isReadBy(entry, process));
}

/** A boolean flag needs no value; `--x false` and `--x=false` turn it off. */
function optionOf({ flag, key }: Entry): Option {
  const { name, placeholder } = key.type;
  const value = name === 'bool' ? `[${placeholder}]` : `<${placeholder}>`;
  const fallback = key.default === undefined ? '' : ` (default: ${key.default})`;
  return new Option(`${flag} ${value}`, `${key.doc}${fallback}`);
}
