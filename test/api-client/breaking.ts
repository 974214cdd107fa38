/** Which changes of the API break its clients, and whether the changelog names them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractOf, type ApiDocument } from '../../deploy/api-client/released.ts';

export interface Finding {
  readonly id: string;
  /** A sentence. */
  readonly text: string;
  /** The method. */
  readonly operation: string;
  readonly path: string;
}

export interface Comparison {
  readonly oasdiff: string;
  /** For the documents while they are compared. */
  readonly folder: string;
}

export function breakingChanges(
  { oasdiff, folder }: Comparison,
  released: ApiDocument,
  current: ApiDocument,
): readonly Finding[] {
  const files = Object.entries({ released, current: contractOf(current) }).map(([name, document]) => {
    const file = join(folder, `${name}.json`);
    // It refuses a document without a title.
    writeFileSync(file, JSON.stringify({ ...document, info: { title: name, version: document.info.version } }));
    return file;
  });
  const levels = join(import.meta.dirname, 'severity-levels.txt');
  const args = ['breaking', ...files, '--format', 'json', '--severity-levels', levels];
  const text = execFileSync(oasdiff, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' });
  return JSON.parse(text) as readonly Finding[];
}

/**
 * The findings that no entry of the part Unreleased names, a line for each kind. An entry names a finding if it begins
 * with `Breaking:`, quotes its operation (`GET /path`, where a star stands for any text: `* /cloudapi/*`), and quotes what
 * changed: the field or parameter, and of an enumeration the value, too.
 */
export function unnamed(findings: readonly Finding[], changelog: string): readonly string[] {
  const [, unreleased = ''] = /^## \[Unreleased\]\n([^]*?)(?=^## \[|(?![^]))/m.exec(changelog) ?? [];
  const entries = unreleased
    .split(/^- /m)
    .map((entry) => entry.replaceAll(/\s+/g, ' '))
    .filter((entry) => entry.startsWith('Breaking:'))
    .map(quotedIn);
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings.filter((one) => !entries.some((quoted) => isNamed(one, quoted)))) {
    const kind = [finding.id, ...namesOf(finding)].join(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  return [...kinds.values()].map(([first, ...others]) => {
    const more = others.map(({ operation, path }) => `${operation} ${path}`);
    const also = more.length === 0 ? '' : ` (also ${[...new Set(more)].join(', ')})`;
    return `${first?.operation} ${first?.path}: ${first?.text}${also}`;
  });
}

function isNamed(finding: Finding, quoted: readonly string[]): boolean {
  const operation = `${finding.operation} ${finding.path}`;
  if (!quoted.some((pattern) => isLike(operation, pattern))) return false;
  const names = namesOf(finding);
  const isThere = (name: string): boolean => quoted.includes(name);
  return names.length === 0 || (/enum-value/.test(finding.id) ? names.every(isThere) : names.some(isThere));
}

function isLike(operation: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(operation);
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]*)`/g)].map(([, quoted = '']) => quoted);
}

/** What a finding quotes that is no name of the API. */
const otherWords = /^(?:query|header|path|cookie|type|string|integer|number|boolean|object|array|any|null)$/;

/** The last name of each quoted path, as `b` of "removed the property `a/items/b`". Operations have no such name. */
function namesOf({ id, text }: Finding): readonly string[] {
  if (id.startsWith('api-')) return [];
  return quotedIn(text).flatMap((quoted) => {
    const name = quoted
      .split('/')
      .filter((part) => /^[A-Za-z_][\w-]*$/.test(part) && part !== 'items')
      .at(-1);
    return name === undefined || otherWords.test(name) ? [] : [name];
  });
}
