/** Parses the YAML of requests within limits: a few hundred bytes can keep a YAML parser busy for minutes. */
import { parse } from 'yaml';
import { MAX_DEPTH, parseShallow, tooDeep } from './depth.ts';
import type { Json } from './json.ts';

/** Keys within keys, for which the parser's time grows steeply with every level, and lists within lists on one line. */
const NESTED = /(?:\?\s+){100}|(?:[-?:] +){1000}/;

// oxlint-disable-next-line no-control-regex -- YAML forbids these characters
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f]/;

/** `parseYaml` throws the parser's error, or an Error when the text is nested too deeply. */
export function parseYaml(text: string): Json {
  // Clients often send JSON, which is valid YAML; the JSON parser is a hundred times faster.
  const json = /^\s*[[{]/.test(text) ? asJson(text) : undefined;
  if (json !== undefined) return json;
  if (CONTROL.test(text)) throw new Error('control characters are not allowed');
  if (NESTED.test(text) || openBrackets(text) > MAX_DEPTH) throw deeper();
  const value = (parse(text, { schema: 'core', uniqueKeys: false, maxAliasCount: 100, logLevel: 'error' }) ??
    null) as Json;
  // With aliases, a short text can have great depth, and cycles.
  if (tooDeep(value)) throw deeper();
  return value;
}

const deeper = (): Error => new Error(`exceeded max depth of ${MAX_DEPTH}`);

function asJson(text: string): Json | undefined {
  try {
    return parseShallow(text);
  } catch {
    return undefined;
  }
}

/** The maximum number of open brackets, quoted ones included: no real text has a thousand. */
function openBrackets(text: string): number {
  let open = 0;
  let most = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) most = Math.max(most, ++open);
    else if ((code === 0x5d || code === 0x7d) && open > 0) open--;
  }
  return most;
}
