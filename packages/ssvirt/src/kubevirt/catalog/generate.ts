/**
 * Generates values from an expression such as `fedora-[a-z0-9]{16}`. The grammar is the one that the template
 * processors of OpenShift and KubeVirt share: text stands for itself; `[…]{N}` is N characters, 1 to 255, of a class. A
 * class holds ranges (`a-z`, `A-F`, `0-9`), the escapes `\w` (letters, digits, underscore), `\d` (digits), `\a`
 * (letters and digits), `\A` (symbols), and single letters and digits; any other `-` or `\` is ignored. As in KubeVirt,
 * all characters of a class are drawn, each with the same probability; OpenShift's own generator never draws the last
 * one of a range.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const ALPHANUMERIC = LETTERS + DIGITS;

const escapes: ReadonlyMap<string, string> = new Map([
  ['\\w', `${ALPHANUMERIC}_`],
  ['\\d', DIGITS],
  ['\\a', ALPHANUMERIC],
  ['\\A', '~!@#$%^&*()-_+={}[]\\|<,>.?/"\';:`'],
]);

const CLASS = /\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}/g;
const CLASS_PART = /\\[wdaA]|[a-zA-Z0-9]-[a-zA-Z0-9]|[a-zA-Z0-9]/g;
const LONGEST_CLASS = 255;
/** In characters; a given value has the same limit. */
const LONGEST_VALUE = 32 * 1024;

/** Returns a random integer from 0 to below `limit`. Tests pass a deterministic one. */
export type Draw = (limit: number) => number;

/** `generate` returns undefined if the expression is malformed. */
export function generate(expression: string, draw: Draw = drawn): string | undefined {
  let isMalformed = false;
  const made = expression.replaceAll(CLASS, (_, ranges: string, count: string) => {
    const alphabet = alphabetOf(ranges);
    const length = /^\d{1,3}$/.test(count) ? Number(count) : 0;
    isMalformed ||= alphabet === undefined || length === 0 || length > LONGEST_CLASS;
    if (isMalformed || alphabet === undefined) return '';
    return Array.from({ length }, () => alphabet[draw(alphabet.length)]).join('');
  });
  return isMalformed || made.length > LONGEST_VALUE || made.includes('\0') ? undefined : made;
}

/** Each character is listed once: `[a-za-f]` must not draw an `a` more often than a `z`. */
function alphabetOf(ranges: string): readonly string[] | undefined {
  const parts = (ranges.match(CLASS_PART) ?? []).map(charactersOf);
  return parts.length === 0 || parts.includes(undefined) ? undefined : [...new Set(parts.join(''))];
}

function charactersOf(part: string): string | undefined {
  const escaped = escapes.get(part);
  if (escaped !== undefined) return escaped;
  if (part.length === 1) return part;
  const [from, to] = [ALPHANUMERIC.indexOf(part.charAt(0)), ALPHANUMERIC.indexOf(part.charAt(2))];
  return from > to ? undefined : ALPHANUMERIC.slice(from, to + 1);
}

/** Uniform, from the cryptographic random source: names and passwords are generated with it. */
function drawn(limit: number): number {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const [number = fair] = crypto.getRandomValues(new Uint32Array(1));
    if (number < fair) return number % limit;
  }
}
