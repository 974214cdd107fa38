/** The config file: YAML, read with positions, so that each error names the line. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml';
import { nearest } from './nearest.ts';
import { entriesOf, type Key, type Section } from './schema.ts';
import type { Setting, Settings, SettingSource } from './setting.ts';

export const defaultFile = '/etc/ssvirt/config.yaml';

/** `readConfigFile` reads the named file. Without a name it reads the default file, which may be absent. */
export function readConfigFile(schema: Section, named: string | undefined): Settings {
  const file = named ?? defaultFile;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && named === undefined) return { settings: [], problems: [] };
    const why =
      code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'this user may not read it' : String(code);
    return { settings: [], problems: [`${file}: cannot read the config file: ${why}`] };
  }
  return parseConfigFile(schema, text, file);
}

/** `parseConfigFile` reads the settings from the text of a config file; `file` is its name, for positions and relative paths. */
export function parseConfigFile(schema: Section, text: string, file: string): Settings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const reader = new FileReader(schema, document, lines, file);
  for (const error of document.errors) reader.problem(error.pos[0], error.message);
  if (document.errors.length === 0) reader.readSection(schema, document.contents, []);
  return reader;
}

class FileReader implements Settings {
  readonly settings: Setting[] = [];
  readonly problems: string[] = [];
  readonly #schema: Section;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #file: string;

  constructor(schema: Section, document: Document, lines: LineCounter, file: string) {
    this.#schema = schema;
    this.#document = document;
    this.#lines = lines;
    this.#file = file;
  }

  problem(offset: number, message: string): void {
    const { line, col } = this.#lines.linePos(offset);
    this.problems.push(`${this.#file}:${line}:${col}: ${message}`);
  }

  readSection(section: Section, value: unknown, names: readonly string[]): void {
    const node = this.#resolved(value);
    if (isNothing(node)) return;
    if (!isMap(node)) {
      const what = names.length === 0 ? 'the file' : names.join('.');
      this.problem(offsetOf(node), `${what} must have keys: write them below it, each as "name: value"`);
      return;
    }
    for (const pair of node.items) this.#readPair(section, pair, names);
  }

  #readPair(section: Section, pair: Pair, names: readonly string[]): void {
    const name = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
    const path = [...names, name];
    const member = Object.hasOwn(section.members, name) ? section.members[name] : undefined;
    if (member === undefined) this.problem(offsetOf(pair.key), this.#unknownKey(section, path));
    else if (member.kind === 'section') this.readSection(member, pair.value, path);
    else this.#readKey(member, pair, path.join('.'));
  }

  #readKey({ type }: Key, pair: Pair, path: string): void {
    const node = this.#resolved(pair.value);
    const offset = isNothing(node) ? offsetOf(pair.key) : offsetOf(node);
    const text = this.#textOf(node, type.parseItems !== undefined);
    if (typeof text === 'object' && 'wrong' in text) {
      this.problem(offset, `${path} ${text.wrong}: write ${article(type.name)}`);
      return;
    }
    const { line, col } = this.#lines.linePos(offset);
    const source: SettingSource = { kind: 'file', file: this.#file, line, column: col };
    this.settings.push({ path, text, folder: dirname(resolve(this.#file)), source });
  }

  #textOf(node: unknown, mayBeList: boolean): string | readonly string[] | { readonly wrong: string } {
    if (isNothing(node)) return { wrong: 'has no value' };
    if (isScalar(node)) return scalarText(node);
    if (isMap(node)) return { wrong: 'is a key, not a section' };
    if (!isSeq(node) || !mayBeList) return { wrong: 'takes one value, not a list' };
    const items = node.items.map((item) => this.#resolved(item));
    return items.every((item) => isScalar(item) && !isNothing(item))
      ? items.map((item) => scalarText(item))
      : { wrong: 'has a list item that is not a plain value' };
  }

  #unknownKey(section: Section, path: readonly string[]): string {
    const name = path.at(-1) ?? '';
    const sibling = nearest(name, Object.keys(section.members));
    const elsewhere = entriesOf(this.#schema).find((entry) => entry.path.endsWith(`.${name}`))?.path;
    const meant = sibling === undefined ? elsewhere : [...path.slice(0, -1), sibling].join('.');
    const known = Object.keys(section.members).join(', ');
    return `${path.join('.')} is not a key: ${meant === undefined ? `the keys here are ${known}` : `did you mean ${meant}?`}`;
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }
}

/** The text as written, not YAML's interpretation: `0123` and `1e3` stay as they are. */
function scalarText(node: unknown): string {
  if (!isScalar(node)) return '';
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function offsetOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}

function article(name: string): string {
  return /^(one|list)/.test(name)
    ? `${name.startsWith('list') ? 'a ' : ''}${name}`
    : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}
