/** A kubeconfig's text (YAML 1.2 or JSON) as plain values. The messages of the parsers quote the text, so none of them gets out. */
import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { complexityProblem } from './complexity.ts';
import { KubeconfigError } from './error.ts';

export interface ParseOptions {
  /** Where it was read from, for messages. */
  readonly file?: string;
  /** How long a text of YAML may be; for those that others have written. */
  readonly mostTokens?: number;
}

export function parseText(text: string, { file, mostTokens = Number.POSITIVE_INFINITY }: ParseOptions = {}): unknown {
  const json = text.trimStart().startsWith('{') ? parsedJson(text) : undefined;
  if (json !== undefined) return json;
  const problem = complexityProblem(text, mostTokens);
  if (problem !== undefined) throw new KubeconfigError('', problem, file);
  return parseYaml(text, file);
}

/** JSON may be indented by tabs, which YAML forbids. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It may be a flow mapping of YAML; if it is not that either, the YAML parser says where.
    return undefined;
  }
}

function parseYaml(text: string, file?: string): unknown {
  // merge: kubectl reads `<<` as well. uniqueKeys: the parser compares each key with each other, which takes minutes for many.
  const options = { prettyErrors: false, logLevel: 'error', merge: true, uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const [error] = document.errors;
  const problem = error === undefined ? repeatedKey(document) : { code: error.code, at: error.pos[0] };
  if (problem !== undefined)
    throw new KubeconfigError('', `it is no YAML: ${problem.code} ${place(text, problem.at)}`, file);
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    // Aliases without an anchor, or so many that they would fill the memory; the parser's own words name them.
    throw new KubeconfigError('', 'it is no YAML: an alias (*) leads nowhere, or there are too many', file);
  }
}

/** Which one was meant is a guess. */
function repeatedKey(document: Document.Parsed): { readonly code: string; readonly at: number } | undefined {
  let at: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>();
      const repeated = items.map(({ key }) => key).find((key) => isScalar(key) && !isNew(keys, String(key.value)));
      if (repeated === undefined) return undefined;
      at = isScalar(repeated) ? (repeated.range?.[0] ?? 0) : 0;
      return visit.BREAK;
    },
  });
  return at === undefined ? undefined : { code: 'DUPLICATE_KEY', at };
}

function isNew(names: Set<string>, name: string): boolean {
  const before = names.size;
  return names.add(name).size > before;
}

function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
