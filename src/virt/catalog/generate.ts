/**
 * Values that are made up by an expression such as `fedora-[a-z0-9]{16}`, read as OpenShift's generator reads it: letters stand for themselves, a class has
 * ranges or escapes and a number from 1 to 255. The last character of a class is never drawn there, nor is it here.
 */

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\w', `${ALPHABET}_`],
  ['\\d', '0123456789'],
  ['\\a', ALPHABET],
  ['\\A', '~!@#$%^&*()-_+={}[]\\|<,>.?/"\';:`'],
]);

const CLASS = /\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}/g;
const PART = /\\?[a-zA-Z0-9]-?[a-zA-Z0-9]?/g;
const LONGEST = 255;

/** From 0 to below `limit`; another one makes tests repeatable. */
export type Draw = (limit: number) => number;

/** Undefined where it is no expression. */
export function generate(expression: string, draw: Draw = drawn): string | undefined {
  let isMalformed = false;
  const made = expression.replaceAll(CLASS, (_, ranges: string, count: string) => {
    const alphabet = alphabetOf(ranges);
    const length = /^\d{1,3}$/.test(count) ? Number(count) : 0;
    isMalformed ||= alphabet === undefined || length === 0 || length > LONGEST;
    if (isMalformed || alphabet === undefined) return '';
    return Array.from({ length }, () => alphabet.charAt(draw(Math.max(1, alphabet.length - 1)))).join('');
  });
  return isMalformed ? undefined : made;
}

function alphabetOf(ranges: string): string | undefined {
  const parts = (ranges.match(PART) ?? []).map(charactersOf);
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
}

function charactersOf(part: string): string | undefined {
  const escaped = escapes.get(part);
  if (escaped !== undefined) return escaped;
  if (!/^[a-zA-Z0-9]-[a-zA-Z0-9]$/.test(part)) return undefined;
  const [from, to] = [ALPHABET.indexOf(part.charAt(0)), ALPHABET.indexOf(part.charAt(2))];
  return from > to ? undefined : ALPHABET.slice(from, to + 1);
}

/** Evenly, from the system's randomness: names and passwords are made of it. */
function drawn(limit: number): number {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const [number = fair] = crypto.getRandomValues(new Uint32Array(1));
    if (number < fair) return number % limit;
  }
}
