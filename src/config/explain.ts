/** The documentation of the config, made from its schema: for a terminal and as docs/configuration.md. */
import { nearest } from './nearest.ts';
import { entriesOf, type Entry, type Section } from './schema.ts';
import { showSource, type Source } from './setting.ts';

/** A key's value as it now is; `shown` hides secrets. */
export interface Current {
  readonly shown: string;
  readonly source: Source;
}

/** The keys at or below a path; all of them without one. */
export function entriesAt(schema: Section, path: string | undefined): readonly Entry[] {
  return entriesOf(schema).filter(
    (entry) => path === undefined || entry.path === path || entry.path.startsWith(`${path}.`),
  );
}

/** The key or section that a person most likely meant by a path that is none. */
export function meantPath(schema: Section, path: string): string | undefined {
  const all = entriesOf(schema).map((entry) => entry.path);
  const names = new Set(all.flatMap((name) => [name, ...parents(name)]));
  return nearest(path, [...names]) ?? all.find((name) => name.endsWith(`.${path}`));
}

export function explainText(entries: readonly Entry[], current: ReadonlyMap<string, Current>): string {
  return entries.map((entry) => entryText(entry, current.get(entry.path))).join('\n');
}

function entryText(entry: Entry, current: Current | undefined): string {
  const rows = Object.entries(facts(entry));
  if (current !== undefined) rows.push(['value', `${current.shown}  (from ${showSource(current.source)})`]);
  const lines = rows.map(([name, text]) => `    ${name.padEnd(8)} ${text}\n`);
  return `${entry.path}\n    ${entry.key.doc}\n${lines.join('')}`;
}

export function explainMarkdown(schema: Section): string {
  const sections = Object.entries(schema.members).map(([name, member]) => {
    const keys = entriesAt(schema, name).map(entryMarkdown);
    const head = member.kind === 'section' ? `## ${name}\n\n${member.doc}\n\n` : '';
    return `${head}${keys.join('\n')}`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Configuration

<!-- Written by \`make docs\` from src/config/keys.ts. -->

A value comes from its default, then from the config file, then from the environment, then from a flag; the later one
wins. The file is YAML: the one that \`--config\` names, or else \`/etc/ssvirt/config.yaml\` where that exists. A relative
path in the file is relative to the file's folder, elsewhere to the working folder. An empty variable counts as unset. A
list is a YAML list in the file and a comma-separated text elsewhere.

- A **duration** is a number with a unit, or several: \`500ms\`, \`30s\`, \`1m30s\`, \`2h\`.
- A **size** is bytes, or a number with a unit as Kubernetes writes it: \`512Ki\`, \`64Mi\`, \`2Gi\`.
- An **address** is \`host:port\`; \`:8080\` means every interface.
- A **secret file** is the name of a file that holds the secret. Secrets stand nowhere else and are never printed.
- A **database URL** is \`postgres://USER:PASSWORD@HOST:PORT/DATABASE\`; special characters of a password are escaped (\`%3F\`).
  Its parameters are those of libpq: \`sslmode\` (\`disable\`, which is the default; \`require\` encrypts; \`verify-ca\` also checks
  the server's certificate, \`verify-full\` also its name), \`sslrootcert\`, \`sslcert\` and \`sslkey\` (PEM files), and \`host\` (a
  folder with a Unix socket). The password is never printed.

An unknown key, an unknown \`SSVIRT_\` variable or a bad value stops the start, with a sentence for each. \`ssvirt config
explain\` prints what follows here, with the values in use and where each comes from; \`ssvirt config check FILE\` checks a
file.
`;

function entryMarkdown(entry: Entry): string {
  const rows = Object.entries(facts(entry)).map(([name, text]) => `- ${name}: \`${text}\`\n`);
  return `### ${entry.path}\n\n${entry.key.doc}\n\n${rows.join('')}`;
}

function facts({ key, env, flag, readBy }: Entry): Readonly<Record<string, string>> {
  const aliases = key.aliases.map((alias) => `${alias.env} (${alias.process})`);
  return {
    type: key.type.name,
    default: key.default ?? (key.required ? 'none: must be set' : 'unset'),
    env,
    ...(aliases.length === 0 ? {} : { alias: aliases.join(', ') }),
    flag: `${flag} ${key.type.placeholder}`,
    'read by': readBy === undefined ? 'every process' : readBy.join(', '),
  };
}

function parents(path: string): readonly string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}
