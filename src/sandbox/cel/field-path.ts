/** The `fieldPath` of a rule: a path of dots and quoted brackets that must lead to a field of the schema. */
import type { Schema } from '../schema/schema.ts';
import { valuesOf } from './schema-types.ts';

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]']+/gy;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** The path as field errors write it, or undefined if it leads nowhere. */
export function resolveFieldPath(path: string, schema: Schema): string | undefined {
  const tokens = path.match(TOKEN) ?? [];
  if (tokens.join('') !== path) return undefined;
  let at = schema;
  let resolved = '';
  for (let i = 0; i < tokens.length;) {
    const quoted = tokens[i] === '[';
    const name = quoted ? unquote(tokens[i + 1] ?? '') : tokens[i] === '.' ? tokens[i + 1] : undefined;
    if (name === undefined || (quoted && tokens[i + 2] !== ']')) return undefined;
    const next = at.properties === undefined ? valuesOf(at) : at.properties[name];
    if (next === undefined) return undefined;
    resolved += at.properties === undefined ? `[${name}]` : `${resolved === '' ? '' : '.'}${name}`;
    at = next;
    i += quoted ? 3 : 2;
  }
  return resolved;
}

function unquote(token: string): string | undefined {
  if (!/^'.*'$/s.test(token) || token.length < 2) return undefined;
  let valid = true;
  const text = token.slice(1, -1).replace(/\\(.)/gs, (_, directive: string) => {
    const plain = ESCAPES.get(directive);
    if (plain === undefined) valid = false;
    return plain ?? '';
  });
  return valid ? text : undefined;
}
