/** `ssvirt config`: prints the settings that exist and their values, and checks a config file. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { addExamples } from '@ssvirt/base/config/examples';
import { entriesAt, explainMarkdown, explainText, meantPath, type Current } from '@ssvirt/base/config/explain';
import { readConfigFile } from '@ssvirt/base/config/file';
import { schema } from '@ssvirt/base/config/keys';
import { assemble, loadConfig, type Loaded } from '@ssvirt/base/config/load';
import { configFileOption } from '@ssvirt/base/config/options';
import { processNames, type Entry, type Process } from '@ssvirt/base/config/schema';

export function registerConfigCommand(program: Command): void {
  const config = program.command('config').description('explain the configuration, or check a config file');
  const explaining = config
    .command('explain')
    .description('print every key: its type, default, environment variable, flag, description and current value')
    .argument('[KEY]', 'a key or a section, such as sandbox.listen or log', knownPath)
    .addOption(configFileOption())
    .addOption(new Option('--process <NAME>', 'include the key aliases of this process').choices(processNames))
    .option('--markdown', 'print the documentation page')
    .action((key: string | undefined, options: ExplainOptions) => {
      process.stdout.write(explain(key, options));
    });
  addExamples(explaining, [
    'ssvirt config explain operator --process machine-operator',
    'ssvirt config explain --config /etc/ssvirt/config.yaml sandbox.listen',
  ]);
  const checking = config
    .command('check')
    .description(
      'check a config file: prints nothing and exits with 0, or prints a sentence for each problem and exits with 1',
    )
    .argument('<FILE>', 'the config file')
    .action((file: string) => {
      assemble(schema, [readConfigFile(schema, file)], process.cwd());
      process.stdout.write(`${file} is valid\n`);
    });
  addExamples(checking, [
    'ssvirt config check /etc/ssvirt/config.yaml',
    'ssvirt config check config.yaml && ssvirt api-server --config config.yaml',
  ]);
}

function knownPath(path: string): string {
  if (entriesAt(schema, path).length > 0) return path;
  const meant = meantPath(schema, path);
  throw new InvalidArgumentError(meant === undefined ? 'There is no such key.' : `Did you mean ${meant}?`);
}

interface ExplainOptions {
  readonly config?: string;
  readonly process?: Process;
  readonly markdown?: boolean;
}

function explain(key: string | undefined, { config: file, markdown = false, process: reader }: ExplainOptions): string {
  if (markdown) return explainMarkdown(schema);
  const entries = entriesAt(schema, key);
  const loaded = loadConfig(schema, { file, env: process.env, process: reader });
  return explainText(entries, currentValues(entries, loaded, file !== undefined));
}

/** Returns the values that are set explicitly and, if a file was named, the defaults too. */
function currentValues(
  entries: readonly Entry[],
  { config, sources }: Loaded<unknown>,
  withDefaults: boolean,
): ReadonlyMap<string, Current> {
  const current = new Map<string, Current>();
  for (const { path, key } of entries) {
    const source = sources.get(path);
    if (source === undefined || (source.kind === 'default' && !withDefaults)) continue;
    current.set(path, { shown: key.type.show(valueAt(config, path)), source });
  }
  return current;
}

function valueAt(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config);
}
