/**
 * Elements of a field path, in their FieldsV1 text form: `f:name`, `k:{"name":"a"}`, `v:"x"`, `i:0`. That text is
 * canonical (keys sorted, values written as Go writes them), so two elements are equal when their texts are equal, and
 * sets can be plain Maps.
 */
import type { Json } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import { goFloat, goJson, goQuote } from '../schema/go/go-text.ts';

export type PathElement = string;
export type Path = readonly PathElement[];
type Scalar = string | number | boolean | null;

export const field = (name: string): PathElement => `f:${name}`;
export const item = (value: Json): PathElement => `v:${goJson(value)}`;

/** The element of an associative list with these key fields, given in any order. */
export function key(fields: readonly (readonly [name: string, value: Json])[]): PathElement {
  const sorted = fields.length < 2 ? fields : [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}

export const isField = (element: PathElement): boolean => element.startsWith('f:');
export const isKey = (element: PathElement): boolean => element.startsWith('k:');
export const fieldName = (element: PathElement): string => element.slice(2);

/**
 * Parses an element that a client wrote: returns undefined for an unknown kind of element (to be skipped); throws when
 * it is malformed.
 */
export function readElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k':
      return canonical(text, () => key(parseKey(text)));
    case 'v':
      return canonical(text, () => item(JSON.parse(text.slice(2)) as Json));
    case 'i':
      if (!/^i:[+-]?\d+$/.test(text))
        throw new SyntaxError(`strconv.Atoi: parsing ${JSON.stringify(text.slice(2))}: invalid syntax`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

const CACHE_LIMIT = 20_000;
const canonicalTexts = new Map<string, string>();

function canonical(text: string, read: () => string): string {
  const known = canonicalTexts.get(text);
  if (known !== undefined) return known;
  if (canonicalTexts.size >= CACHE_LIMIT) canonicalTexts.clear();
  const result = read();
  canonicalTexts.set(text, result);
  return result;
}

function parseKey(text: string): [string, Json][] {
  const value = JSON.parse(text.slice(2)) as Json;
  if (!isObject(value)) throw new SyntaxError('expect { or n');
  return Object.entries(value).map(([name, each]) => [name, each ?? null]);
}

const RANK: Record<string, number> = { f: 0, k: 1, v: 2, i: 3 };

/** `compareElements` returns the order of elements: fields by name, then keys, then values, then indexes. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  // Most elements are fields.
  if (isField(a) && isField(b)) return a < b ? -1 : 1;
  const rank = (RANK[a[0] ?? ''] ?? 4) - (RANK[b[0] ?? ''] ?? 4);
  if (rank !== 0) return rank;
  switch (a[0]) {
    case 'k':
      return compareKeys(parseKey(a), parseKey(b));
    case 'v':
      return compareScalars(JSON.parse(a.slice(2)) as Scalar, JSON.parse(b.slice(2)) as Scalar);
    case 'i':
      return Number(a.slice(2)) - Number(b.slice(2));
    default:
      return a < b ? -1 : 1;
  }
}

function compareKeys(a: readonly [string, Json][], b: readonly [string, Json][]): number {
  for (let i = 0; ; i++) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return a.length - b.length;
    if (left[0] !== right[0]) return left[0] < right[0] ? -1 : 1;
    const order = compareScalars(left[1], right[1]);
    if (order !== 0) return order;
  }
}

const TYPE_RANK: Record<string, number> = { number: 0, string: 1, boolean: 2, object: 3 };

function compareScalars(a: Json, b: Json): number {
  if (a === b) return 0;
  if (typeof a !== typeof b) return (TYPE_RANK[typeof a] ?? 3) - (TYPE_RANK[typeof b] ?? 3);
  if (a === null || b === null || typeof a === 'object' || typeof b === 'object') return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

/** `pathText` returns a path as it appears in messages: `.spec.ports[port=80,protocol="TCP"].name`. */
export function pathText(path: Path): string {
  return path.map(elementText).join('');
}

export function elementText(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${parseKey(element)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueText(JSON.parse(rest) as Json)}]`;
    default:
      return `[${rest}]`;
  }
}

function valueText(value: Json): string {
  // Go parses a number in FieldsV1 as a float64.
  if (typeof value === 'number') return goFloat(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, each]) => `${name}=${valueText(each ?? null)}`)
      .join('');
  }
  return typeof value === 'string' ? goQuote(value) : String(value);
}
