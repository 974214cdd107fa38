/**
 * Parses a kubeconfig (YAML 1.2 or JSON) to plain values. Parsers quote the text in their messages, so none of those is
 * passed on.
 */
import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { complexityProblem } from './complexity.ts';
import { KubeconfigError } from './error.ts';

export interface ParseOptions {
  /** The file it was read from, for messages. */
  readonly file?: string;
  /** The maximum length of a YAML text in tokens, for untrusted input. */
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
    // It may be a YAML flow mapping; if not, the YAML parser reports where.
    return undefined;
  }
}

function parseYaml(text: string, file?: string): unknown {
  // merge: kubectl supports `<<` too. uniqueKeys: the parser compares every pair of keys, which takes minutes for many.
  const options = { prettyErrors: false, logLevel: 'error', merge: true, uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const [error] = document.errors;
  const problem = error === undefined ? repeatedKey(document) : { code: error.code, at: error.pos[0] };
  if (problem !== undefined)
    throw new KubeconfigError('', `it is not valid YAML: ${problem.code} ${place(text, problem.at)}`, file);
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    // Aliases without an anchor, or so many that they would exhaust memory; the parser's message names them.
    throw new KubeconfigError(
      '',
      'it is not valid YAML: an alias (*) has no anchor, or there are too many aliases',
      file,
    );
  }
}

/** Which of them was meant cannot be known. */
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
