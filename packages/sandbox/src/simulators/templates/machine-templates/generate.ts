/** Generates values of parameters: OpenShift's patterns, without the defects of its generator. */
import { randomInt } from 'node:crypto';
import { MalformedExpression, type Draw } from '../generate.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const ALPHABET = LETTERS + DIGITS;
const SYMBOLS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const escapes: Readonly<Record<string, string>> = {
  '\\w': `${ALPHABET}_`,
  '\\d': DIGITS,
  '\\a': ALPHABET,
  '\\A': SYMBOLS,
};

const CLASS = /\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}/g;
const RANGE = /\\[wdaA]|.-.|[a-zA-Z0-9]+/g;

export function generateValue(expression: string, draw: Draw = (limit) => randomInt(limit)): string {
  return expression.replaceAll(CLASS, (_match, ranges: string, count: string) => {
    const alphabet = alphabetOf(ranges);
    return Array.from({ length: lengthOf(count) }, () => alphabet[draw(alphabet.length)]).join('');
  });
}

function alphabetOf(ranges: string): readonly string[] {
  const parts = ranges.match(RANGE);
  if (parts === null) throw new MalformedExpression(`malformed ranges syntax: ${ranges}`);
  return [...new Set(parts.flatMap((part) => [...charactersOf(part)]))].toSorted();
}

function charactersOf(part: string): string {
  const escaped = escapes[part];
  if (escaped !== undefined) return escaped;
  if (!/^.-.$/.test(part)) return part;
  const [from = '', , to = ''] = part;
  const [left, right] = [ALPHABET.indexOf(from), ALPHABET.indexOf(to)];
  if (left < 0) throw new MalformedExpression(`invalid start character in range: ${from}`);
  if (right < 0) throw new MalformedExpression(`invalid end character in range: ${to}`);
  if (left > right) throw new MalformedExpression(`invalid range specified: ${from}-${to}`);
  return ALPHABET.slice(left, right + 1);
}

function lengthOf(count: string): number {
  if (!/^\d+$/.test(count))
    throw new MalformedExpression(`malformed length syntax: strconv.Atoi: parsing "${count}": invalid syntax`);
  const length = Number(count);
  if (length >= 1 && length <= 255) return length;
  throw new MalformedExpression(`range must be within [1-255] characters: ${length}`);
}
