/**
 * Generates values of parameters: `fedora-[a-z0-9]{16}`. Defects of OpenShift's generator are kept, because templates
 * that work here must work there: the last character of a class is never drawn, and a class without a range or an
 * escape is malformed.
 */
import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SYMBOLS = '~!@#$%^&*()-_+={}[]\\|<,>.?/"\';:`';

const escapes: Readonly<Record<string, string>> = {
  w: `${ALPHABET}_`,
  d: '0123456789',
  a: ALPHABET,
  A: SYMBOLS,
};

const CLASS = /\[([a-zA-Z0-9\-\\]+)\](\{(\w+)\})/g;
const RANGE = /([\\]?[a-zA-Z0-9]-?[a-zA-Z0-9]?)/g;

/** Draws a number from 0 to below `limit`; tests pass their own to be repeatable. */
export type Draw = (limit: number) => number;

export class MalformedExpression extends Error {}

export function generate(expression: string, draw: Draw = (limit) => randomInt(limit)): string {
  return expression.replaceAll(CLASS, (_match, ranges: string, _braces: string, count: string) => {
    const alphabet = alphabetOf(ranges);
    const length = lengthOf(count);
    return Array.from({ length }, () => alphabet[draw(Math.max(1, alphabet.length - 1))]).join('');
  });
}

function alphabetOf(ranges: string): string {
  const parts = ranges.match(RANGE) ?? [];
  return parts.map((part) => charactersOf(part)).join('');
}

function charactersOf(part: string): string {
  const escaped = part.startsWith('\\') ? escapes[part.slice(1)] : undefined;
  if (escaped !== undefined) return escaped;
  const [from, to] = [ALPHABET.indexOf(part.charAt(0)), ALPHABET.indexOf(part.charAt(2))];
  if (!/^\w-\w$/.test(part)) throw new MalformedExpression(`malformed expresion syntax: ${part}`);
  if (from > to) throw new MalformedExpression(`Invalid range specified: ${part}`);
  return ALPHABET.slice(from, to + 1);
}

function lengthOf(count: string): number {
  const length = Number.parseInt(count, 10);
  if (/^\d+$/.test(count) && length > 0 && length <= 255) return length;
  throw new MalformedExpression(`range must be within [1-255] characters (${count})`);
}
