/** How Go prints values: Kubernetes' error texts use fmt's %q and %v, and encoding/json. */
import type { Json, JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';

const shortEscapes: { readonly [char: string]: string } = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

const plain = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** fmt's %q: like JSON, but with `\x01` for control characters, and \u only for unprintable characters. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const short = shortEscapes[char];
    const code = char.codePointAt(0) ?? 0;
    if (short !== undefined) out += short;
    else if (printable.test(char)) out += char;
    else if (code < 0x80) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code < 0x10000) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += `\\U${code.toString(16).padStart(8, '0')}`;
  }
  return `${out}"`;
}

const whiteSpace = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const edges = new RegExp(`^${whiteSpace}|${whiteSpace}$`, 'gu');

/** strings.TrimSpace; its set of space characters differs from JavaScript's. */
export const trimSpace = (text: string): string => text.replace(edges, '');

/** fmt's %v and strconv's %g of a float64: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const maxInt64 = 2 ** 63;

/** `isInt64` returns whether Go decodes the number to an int64. A number written with a zero fraction cannot be recognized here. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && value >= -maxInt64 && value < maxInt64;

/** fmt's %v of a number that was decoded without a type. */
export const goNumber = (value: number): string => (isInt64(value) ? BigInt(value).toString() : goFloat(value));

const htmlUnsafe = /[<>&\u2028\u2029]/g;
const escapeHtml = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * encoding/json's Marshal, with `<`, `>` and `&` escaped. For a Go map, apply `sortKeys` first, because its keys are
 * sorted.
 */
export function goJson(value: Json | undefined): string {
  return value === undefined ? 'null' : JSON.stringify(value).replace(htmlUnsafe, escapeHtml);
}

export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `sortKeys` returns the order in which Go encodes a map, for values that were decoded without a type. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  const sorted: JsonObject = {};
  for (const key of keys) {
    const item = value[key];
    if (item !== undefined) sorted[key] = typeof item === 'object' ? sortKeys(item) : item;
  }
  return sorted;
}

/** `goValue` returns a value in a field error: strings quoted, numbers plain, everything else as JSON. */
export function goValue(value: Json | undefined): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  return goJson(value);
}
