/**
 * What may differ between two servers, or between two runs on one, without counting as a difference. This is the complete list:
 *
 *  1. uids                    → <uid-n>, numbered by first appearance
 *  2. resourceVersions        → rv-n, numbered in rising order of all that a case sees of single objects, so that equal,
 *                               unequal and older/newer are still compared. Those of lists, tables, bookmarks and
 *                               texts → rv-n+ (at or after n, before n+1), since writes of other clients raise them
 *  3. times of this run       → <time>, <microtime> by precision; times that a script wrote (before 2024) stay
 *  4. generated names         → generateName and <suffix>; kube-api-access-<suffix>
 *  5. continue tokens, JWTs, certificates, storage version hashes (made from a group's name)
 *  6. the server's address, allocated cluster IPs and node ports
 *  7. the case's own token in names → TOKEN
 *  8. managedFields entries are put in a fixed order (the server sorts by second of time); their sets of fields stay
 *  9. ages in tables
 * 10. the complete patched object that a refusal quotes in its text
 * 11. the order of several causes, where the server iterates over a map: causes are sorted, the text has <cause> for each,
 *     and the lines of an apply's type errors are sorted
 */
import { defined } from '@ssvirt/base/values/defined';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Entry, Transcript } from './transcript.ts';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const moment = /\b(20[2-9]\d)-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?(?:Z|[+-]\d\d:?\d\d)(?: UTC)?)/g;
const jwt = /\bey[\w-]{10,}\.ey[\w-]{10,}\.[\w-]{10,}/g;
const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\n?/g;
const revisionInText =
  /(resource ?version: |resourceVersion=|, current: |requested revision \(|in record \(|too old resource version: \d+ \()(\d+)/gi;
/** The refusal of a patch quotes the complete resulting object, as JSON or as Go prints a map. */
const quotedObject = /((?:^|: )Invalid value: )"(?:\{(?:[^"\\]|\\.)*\}|map\[(?:[^"\\]|\\.)*\])"/g;
const address = /\b10\.(?:9[6-9]|10\d|11[01])\.\d{1,3}\.\d{1,3}\b/g;

const ageColumns = ['Age', 'Last Seen', 'First Seen'];

export function normalise(transcript: Transcript, token: string, serverUrl: string): Transcript {
  const revisions = new Set<number>();
  const generated = new Map<string, string>();
  for (const entry of transcript) {
    collectRevisions(entry, revisions);
    collectGenerated(entry, generated);
  }
  const ordered = [...revisions].sort((a, b) => a - b);
  const normaliser = new Normaliser(ordered, token, serverUrl, { uids: new Map(), generated });
  return transcript.map((entry) => normaliser.value(entry) as Entry);
}

/** Names that occur throughout the transcript. */
interface Names {
  readonly uids: Map<string, string>;
  readonly generated: ReadonlyMap<string, string>;
}

class Normaliser {
  readonly #revisions: readonly number[];
  readonly #token: string;
  readonly #serverUrl: string;
  readonly #names: Names;

  constructor(revisions: readonly number[], token: string, serverUrl: string, names: Names) {
    this.#revisions = revisions;
    this.#token = token;
    this.#serverUrl = serverUrl;
    this.#names = names;
  }

  value(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    return this.#object(value);
  }

  #object(given: JsonObject): JsonObject {
    const source = given['kind'] === 'Status' ? orderedCauses(given) : given;
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(source)) {
      if (value === undefined) continue;
      result[this.#text(key)] = this.#field(key, value, source);
    }
    return result;
  }

  #field(key: string, value: Json, parent: JsonObject): Json {
    if (key === 'metadata' && isObject(value) && isLoose(parent)) return this.#looseMetadata(value);
    if (key === 'object' && parent['type'] === 'BOOKMARK' && isObject(value)) return this.#bookmark(value);
    if (key === 'resourceVersion' && typeof value === 'string') return this.#revision(value);
    if (key === 'continue' && typeof value === 'string' && value !== '') return '<continue>';
    if (key === 'storageVersionHash') return '<hash>';
    if (key === 'managedFields' && Array.isArray(value)) return sortManagers(this.value(value) as Json[]);
    if (key === 'nodePort' && typeof value === 'number' && value >= 30_000) return '<nodePort>';
    if (key === 'rows' && Array.isArray(value)) return this.#rows(value, parent['columnDefinitions']);
    return this.value(value);
  }

  #looseMetadata(metadata: JsonObject): JsonObject {
    const version = metadata['resourceVersion'];
    const rest = this.#object({ ...metadata, resourceVersion: undefined });
    return typeof version === 'string' && version !== ''
      ? { ...rest, resourceVersion: this.#loose(version) }
      : { ...rest, ...defined({ resourceVersion: version }) };
  }

  #bookmark(object: JsonObject): JsonObject {
    const metadata = object['metadata'];
    return {
      ...this.#object({ ...object, metadata: undefined }),
      ...(isObject(metadata) ? { metadata: this.#looseMetadata(metadata) } : {}),
    };
  }

  /** Some columns of a table contain ages; later events of a watch do not repeat which. */
  #rows(rows: Json[], columns: Json | undefined): Json {
    const isAge = (cell: Json, i: number): boolean => {
      const column = Array.isArray(columns) ? columns[i] : undefined;
      const named = !isObject(column) || ageColumns.includes(String(column['name']));
      return named && typeof cell === 'string' && /^(\d+[smhd])+$/.test(cell);
    };
    return rows.map((row) => {
      if (!isObject(row) || !Array.isArray(row['cells'])) return this.value(row);
      return this.value({ ...row, cells: row['cells'].map((cell, i) => (isAge(cell, i) ? '<age>' : cell)) });
    });
  }

  #text(text: string): string {
    if (text === '') return text;
    let result = text;
    if (result.length > 4) {
      for (const [name, plain] of this.#names.generated)
        if (result.includes(name)) result = result.replaceAll(name, plain);
      result = result
        .replace(certificate, '<certificate>')
        .replace(jwt, '<jwt>')
        .replaceAll(this.#serverUrl, '<server>')
        .replaceAll(this.#serverUrl.replace('https://', ''), '<server>')
        .replace(quotedObject, '$1<object>')
        .replace(/(?<=errors:\n)[\s\S]+/, (lines) => lines.split('\n').toSorted().join('\n'))
        .replace(uuid, (found) => this.#uid(found))
        .replace(moment, (found, year: string, fraction: string | undefined) =>
          Number(year) < 2024 ? found : fraction === undefined ? '<time>' : '<microtime>',
        )
        .replace(/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<suffix>')
        .replace(address, '<ip>')
        .replace(/([?&]continue=)[^&]+/, '$1<continue>')
        .replace(revisionInText, (_, before: string, version: string) => before + this.#loose(version));
    }
    return result.replaceAll(this.#token, 'TOKEN');
  }

  #uid(found: string): string {
    const known = this.#names.uids.get(found) ?? `<uid-${this.#names.uids.size + 1}>`;
    this.#names.uids.set(found, known);
    return known;
  }

  #revision(version: string): string {
    if (!isRevision(version)) return version;
    const at = this.#revisions.indexOf(Number(version));
    return at === -1 ? this.#loose(version) : `rv-${at + 1}`;
  }

  #loose(version: string): string {
    if (!isRevision(version)) return version;
    return `rv-${this.#revisions.filter((known) => known <= Number(version)).length}+`;
  }
}

/** 0 and 1 have special meanings, and the script invents values out of range. */
function isRevision(version: string): boolean {
  return /^\d+$/.test(version) && Number(version) > 1 && Number(version) < 1e9;
}

const isLoose = (object: JsonObject): boolean =>
  Array.isArray(object['items']) || Array.isArray(object['rows']) || /List$|^Table$/.test(String(object['kind'] ?? ''));

function collectRevisions(value: Json | undefined, into: Set<number>): void {
  if (Array.isArray(value)) for (const item of value) collectRevisions(item, into);
  if (!isObject(value)) return;
  if (value['type'] === 'BOOKMARK') return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'resourceVersion' && typeof item === 'string' && isRevision(item)) into.add(Number(item));
    else if (!(key === 'metadata' && isLoose(value))) collectRevisions(item, into);
  }
}

function collectGenerated(value: Json | undefined, into: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) collectGenerated(item, into);
  if (!isObject(value)) return;
  const { generateName, name } = value;
  if (
    typeof generateName === 'string' &&
    typeof name === 'string' &&
    name.startsWith(generateName) &&
    name.length === generateName.length + 5
  ) {
    into.set(name, `${generateName}<suffix>`);
  }
  for (const item of Object.values(value)) collectGenerated(item, into);
}

function orderedCauses(status: JsonObject): JsonObject {
  const details = status['details'];
  if (!isObject(details) || !Array.isArray(details['causes']) || details['causes'].length < 2) return status;
  const causes = details['causes']
    .filter(isObject)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  let message = String(status['message']);
  for (const cause of causes)
    message = message.replace(`${String(cause['field'])}: ${String(cause['message'])}`, '<cause>');
  return { ...status, message, details: { ...details, causes } };
}

function sortManagers(entries: Json[]): Json[] {
  const key = (entry: Json): string =>
    isObject(entry)
      ? ['operation', 'manager', 'apiVersion', 'subresource'].map((name) => String(entry[name] ?? '')).join(' ')
      : '';
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
