/** The string functions of cel-go's extension library, version 2, which count in code points. */
import { compilePattern, PatternError } from '../../schema/go/go-regexp.ts';
import { trimSpace } from '../../schema/go/go-text.ts';
import { type Overload, fail, global, member } from './functions.ts';
import { formatString } from './string-format.ts';
import { codePointCount, codePoints } from '../syntax/text.ts';
import { PlainList, type Value } from '../values.ts';

const outOfRange = (index: bigint): Value => fail(`index out of range: ${index}`);
const texts = (values: readonly string[]): PlainList => new PlainList([...values]);

function charAt(text: string, index: bigint): Value {
  const points = codePoints(text);
  if (index < 0n || index > BigInt(points.length)) return outOfRange(index);
  return points[Number(index)] ?? '';
}

function indexOf(text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const points = codePoints(text);
  if (from >= BigInt(points.length)) return -1n;
  const units = points.slice(0, Number(from)).join('').length;
  const found = text.indexOf(part, units);
  return found === -1 ? -1n : BigInt(codePointCount(text.slice(0, found)));
}

function lastIndexOf(text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const points = codePoints(text);
  if (from >= BigInt(points.length)) return -1n;
  const units = points.slice(0, Number(from)).join('').length;
  const found = text.lastIndexOf(part, units);
  return found === -1 ? -1n : BigInt(codePointCount(text.slice(0, found)));
}

/** Like Go's strings.Replace: an empty `old` matches before every character and at the end. */
function replace(text: string, old: string, by: string, count: bigint): string {
  let left = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  if (old === '') {
    const points = codePoints(text);
    let out = '';
    for (let i = 0; i <= points.length; i++) out += (left-- > 0 ? by : '') + (points[i] ?? '');
    return out;
  }
  return text.replaceAll(old, () => (left-- > 0 ? by : old));
}

/** Like Go's strings.SplitN: the last part contains the unsplit remainder. */
function split(text: string, separator: string, count: bigint): string[] {
  if (count === 0n) return [];
  const parts = separator === '' ? [...codePoints(text)] : text.split(separator);
  const limit = Number(count);
  if (count < 0n || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function substring(text: string, start: bigint, end: bigint | undefined): Value {
  const points = codePoints(text);
  const size = BigInt(points.length);
  const stop = end ?? size;
  if (end !== undefined && start > end) return fail(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return outOfRange(start);
  if (stop < 0n || stop > size) return outOfRange(stop);
  return points.slice(Number(start), Number(stop)).join('');
}

function join(list: { items(): Value[] }, separator: string): Value {
  const items = list.items();
  const bad = items.find((item) => typeof item !== 'string');
  return bad === undefined ? items.join(separator) : fail(`join: invalid input: ${String(bad)}`);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

const quote = (text: string): string =>
  `"${codePoints(text)
    .map((c) => ESCAPES.get(c) ?? c)
    .join('')}"`;

function matches(text: string, pattern: string): Value {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) return fail(compiled.message);
  return compiled.test(text);
}

export const STRINGS: readonly Overload[] = [
  member('contains', ['string', 'string'], 'bool', (text, part) => text.includes(part)),
  member('endsWith', ['string', 'string'], 'bool', (text, end) => text.endsWith(end)),
  member('startsWith', ['string', 'string'], 'bool', (text, start) => text.startsWith(start)),
  global('matches', ['string', 'string'], 'bool', matches),
  member('matches', ['string', 'string'], 'bool', matches),
  member('charAt', ['string', 'int'], 'string', charAt),
  member('indexOf', ['string', 'string'], 'int', (text, part) => indexOf(text, part, 0n)),
  member('indexOf', ['string', 'string', 'int'], 'int', indexOf),
  member('lastIndexOf', ['string', 'string'], 'int', (text, part) => {
    const size = BigInt(codePointCount(text));
    if (part === '') return size;
    return size === 0n ? -1n : lastIndexOf(text, part, size - 1n);
  }),
  member('lastIndexOf', ['string', 'string', 'int'], 'int', lastIndexOf),
  member('lowerAscii', ['string'], 'string', (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase())),
  member('upperAscii', ['string'], 'string', (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase())),
  member('replace', ['string', 'string', 'string'], 'string', (text, old, by) => replace(text, old, by, -1n)),
  member('replace', ['string', 'string', 'string', 'int'], 'string', replace),
  member('split', ['string', 'string'], 'list<string>', (text, separator) => texts(split(text, separator, -1n))),
  member('split', ['string', 'string', 'int'], 'list<string>', (text, separator, count) =>
    texts(split(text, separator, count)),
  ),
  member('substring', ['string', 'int'], 'string', (text, start) => substring(text, start, undefined)),
  member('substring', ['string', 'int', 'int'], 'string', substring),
  member('trim', ['string'], 'string', trimSpace),
  member('join', ['list<string>'], 'string', (list) => join(list, '')),
  member('join', ['list<string>', 'string'], 'string', join),
  member('format', ['string', 'list<dyn>'], 'string', formatString),
  global('strings.quote', ['string'], 'string', quote),
];
