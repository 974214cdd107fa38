/** Merges the config: defaults, then the file, then the environment, then flags. The later one wins. */
import { readConfigFile } from './file.ts';
import { readEnvironment, type Environment } from './environment.ts';
import { entriesOf, isReadBy, type Entry, type Infer, type Process, type Section } from './schema.ts';
import { ConfigError, showSource, type Setting, type Settings, type SettingSource } from './setting.ts';
import { BadValue } from './values.ts';

export interface Places {
  /** The process that will read the config: its aliases apply, and its required keys must be set. */
  readonly process?: Process | undefined;
  /** An explicitly named config file; without it the default file is read if it exists. */
  readonly file?: string | undefined;
  readonly env?: Environment;
  /** The flags on the command line, by the path of their key. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The working folder: relative paths in the environment and in flags are relative to it. */
  readonly cwd?: string;
}

export interface Loaded<C> {
  readonly config: C;
  /** The source of each value, by path. */
  readonly sources: ReadonlyMap<string, SettingSource>;
}

/** `loadConfig` throws a ConfigError that lists every problem, not only the first. */
export function loadConfig<S extends Section>(schema: S, places: Places): Loaded<Infer<S>> {
  const { process, file, env = {}, flags = {}, cwd = globalThis.process.cwd() } = places;
  const entries = entriesOf(schema);
  const given = [
    readConfigFile(schema, file),
    readEnvironment(entries, env, cwd, process),
    flagSettings(entries, flags, cwd),
  ];
  return assemble(schema, given, cwd, process);
}

/** `assemble` merges the settings of all sources; each overrides the ones before it. */
export function assemble<S extends Section>(
  schema: S,
  given: readonly Settings[],
  cwd: string,
  process?: Process,
): Loaded<Infer<S>> {
  const problems = given.flatMap((place) => place.problems);
  const settings = new Map(given.flatMap((place) => place.settings).map((setting) => [setting.path, setting]));
  const values = new Map<string, unknown>();
  const sources = new Map<string, SettingSource>();
  for (const entry of entriesOf(schema)) {
    const setting = settings.get(entry.path) ?? defaultSetting(entry, cwd);
    if (setting === undefined) {
      if (entry.key.required && process !== undefined && isReadBy(entry, process)) problems.push(missing(entry));
      continue;
    }
    sources.set(entry.path, setting.source);
    try {
      values.set(entry.path, parse(entry, setting));
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(complaint(entry, setting, error));
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { config: nest(schema, values, []) as Infer<S>, sources };
}

function flagSettings(entries: readonly Entry[], flags: Readonly<Record<string, string>>, folder: string): Settings {
  const settings = entries.flatMap(({ path, flag }): readonly Setting[] => {
    const text = flags[path];
    return text === undefined ? [] : [{ path, text, folder, source: { kind: 'flag', name: flag } }];
  });
  return { settings, problems: [] };
}

function defaultSetting({ path, key }: Entry, folder: string): Setting | undefined {
  return key.default === undefined ? undefined : { path, text: key.default, folder, source: { kind: 'default' } };
}

function parse({ key: { type } }: Entry, { text, folder, source }: Setting): unknown {
  if (typeof text !== 'string') return type.parseItems?.(text, folder);
  const value = type.parse(text, folder);
  const refusal = source.kind === 'flag' ? type.refusedAsFlag?.(value) : undefined;
  if (refusal !== undefined) throw new BadValue(refusal);
  return value;
}

function complaint({ path, key }: Entry, { text, source }: Setting, error: BadValue): string {
  const value = key.type.secret === true ? '' : `${JSON.stringify(text)} `;
  return `${showSource(source)}: ${path}: ${value}${error.message}`;
}

function missing({ path, env, flag }: Entry): string {
  return `${path} is not set: set it in the config file, in ${env} or by ${flag}`;
}

function nest(section: Section, values: ReadonlyMap<string, unknown>, names: readonly string[]): unknown {
  const pairs = Object.entries(section.members).map(([name, member]) => {
    const path = [...names, name];
    return [name, member.kind === 'section' ? nest(member, values, path) : values.get(path.join('.'))];
  });
  return Object.fromEntries(pairs);
}
