/** A kubeconfig's text (YAML 1.2 or JSON) as plain values. The messages of the parsers quote the text, so none of them gets out. */
import { parseDocument } from 'yaml';
import { KubeconfigError } from './error.ts';

export function parseText(text: string, file?: string): unknown {
  const json = text.trimStart().startsWith('{') ? parsedJson(text) : undefined;
  return json ?? parseYaml(text, file);
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
  // merge: kubectl reads `<<` as well.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', merge: true });
  const [error] = document.errors;
  if (error !== undefined)
    throw new KubeconfigError('', `it is no YAML: ${error.code} ${place(text, error.pos[0])}`, file);
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    // Aliases without an anchor, or so many that they would fill the memory; the parser's own words name them.
    throw new KubeconfigError('', 'it is no YAML: an alias (*) leads nowhere, or there are too many', file);
  }
}

function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
