/** The config as options of a command: `--config`, and one flag for each key that the process reads. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { schema, type Config } from './keys.ts';
import { loadConfig, type Loaded } from './load.ts';
import { entriesOf, isReadBy, type Entry, type Process } from './schema.ts';

/** Which keys a command has flags for; all that its process reads unless said. */
export type Selection = (entry: Entry) => boolean;

const all: Selection = () => true;

/** Gives a process's command its flags. */
export function addConfigOptions(command: Command, process: Process, selection: Selection = all): Command {
  command.addOption(configFileOption());
  for (const entry of readBy(process).filter(selection)) command.addOption(optionOf(entry));
  return command;
}

/** The config of a command that was parsed; throws ConfigError. The selection is that of its flags. */
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
  return new Option('--config <FILE>', 'the config file (default: /etc/ssvirt/config.yaml where it exists)').argParser(
    (text: string) => {
      if (text === '') throw new InvalidArgumentError('It is empty: name a file.');
      return text;
    },
  );
}

function readBy(process: Process): readonly Entry[] {
  return entriesOf(schema).filter((entry) => isReadBy(entry, process));
}

/** A flag of a bool may stand alone; `--x false` and `--x=false` turn it off. */
function optionOf({ flag, key }: Entry): Option {
  const { name, placeholder } = key.type;
  const value = name === 'bool' ? `[${placeholder}]` : `<${placeholder}>`;
  const fallback = key.default === undefined ? '' : ` (default: ${key.default})`;
  return new Option(`${flag} ${value}`, `${key.doc}${fallback}`);
}
