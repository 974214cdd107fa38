/** `PatternError` holds the parts of a Go pattern that match one character (escapes and character classes), translated to JavaScript. */

export class PatternError extends Error {
  constructor(problem: string, at: string) {
    super(`error parsing regexp: ${problem}: \`${at}\``);
    this.name = 'PatternError';
  }
}

/** `Piece` is a translated piece: its length in the pattern, and its JavaScript form. */
export interface Piece {
  readonly length: number;
  readonly text: string;
}

/** Also allowed inside brackets. */
const perlClasses: ReadonlyMap<string, string> = new Map([
  ['d', '[0-9]'],
  ['D', '[^0-9]'],
  ['s', '[\\t\\n\\f\\r ]'],
  ['S', '[^\\t\\n\\f\\r ]'],
  ['w', '[0-9A-Za-z_]'],
  ['W', '[^0-9A-Za-z_]'],
]);

const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\0-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['space', '\\t-\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

/**
 * Letters and digits unchanged, all others as code points, because the characters to escape differ inside and outside
 * of classes.
 */
export const literal = (char: string): string =>
  /^[0-9A-Za-z]$/.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** `rest` starts with the opening bracket. */
export function characterClass(rest: string): Piece {
  const negated = rest.startsWith('[^');
  let at = negated ? 2 : 1;
  let items = '';
  for (let first = true; first || rest[at] !== ']'; first = false) {
    const item = classItem(rest.slice(at), rest);
    items += item.text;
    at += item.length;
  }
  return { length: at + 1, text: `[${negated ? '^' : ''}${items}]` };
}

/** A named class, a character or a range. */
function classItem(rest: string, whole: string): Piece {
  const named = posixClass(rest) ?? unicodeClass(rest) ?? perlClass(rest);
  if (named !== undefined) return { length: named.length, text: inClass(named.text) };
  const low = classCharacter(rest, whole);
  const after = rest.slice(low.length);
  if (!after.startsWith('-') || after.length < 2 || after.startsWith('-]')) {
    return { length: low.length, text: literal(low.char) };
  }
  const high = classCharacter(after.slice(1), whole);
  const length = low.length + 1 + high.length;
  if ((high.char.codePointAt(0) ?? 0) < (low.char.codePointAt(0) ?? 0)) {
    throw new PatternError('invalid character class range', rest.slice(0, length));
  }
  return { length, text: `${literal(low.char)}-${literal(high.char)}` };
}

/** A nested class is written without its brackets where possible, because the linear engine has no nesting. */
const inClass = (text: string): string => (/^\[[^^]/.test(text) ? text.slice(1, -1) : text);

interface Character {
  readonly length: number;
  readonly char: string;
}

function classCharacter(rest: string, whole: string): Character {
  if (rest === '') throw new PatternError('missing closing ]', whole);
  if (rest.startsWith('\\')) return escaped(rest);
  const char = firstCharacter(rest);
  return { length: char.length, char };
}

export const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0);

function posixClass(rest: string): Piece | undefined {
  const end = rest.startsWith('[:') ? rest.indexOf(':]', 2) : -1;
  if (end === -1) return undefined;
  const inverted = rest[2] === '^';
  const set = posixClasses.get(rest.slice(inverted ? 3 : 2, end));
  if (set === undefined) throw new PatternError('invalid character class range', rest.slice(0, end + 2));
  return { length: end + 2, text: `[${inverted ? '^' : ''}${set}]` };
}

/** `\d` and similar classes. */
export function perlClass(rest: string): Piece | undefined {
  const set = rest.startsWith('\\') ? perlClasses.get(rest[1] ?? '') : undefined;
  return set === undefined ? undefined : { length: 2, text: set };
}

/** `\pL` or `\p{Greek}`. */
export function unicodeClass(rest: string): Piece | undefined {
  if (!/^\\[pP]/.test(rest)) return undefined;
  const braced = rest[2] === '{';
  const end = braced ? rest.indexOf('}') + 1 : 2 + firstCharacter(rest.slice(2)).length;
  const whole = end === 0 ? rest : rest.slice(0, end);
  const [, caret = '', name = ''] = /^(\^?)(.*)$/s.exec(braced ? whole.slice(3, -1) : whole.slice(2)) ?? [];
  const property = propertyOf(name);
  if (property === undefined) throw new PatternError('invalid character class range', whole);
  const letter = rest.startsWith('\\P') === (caret === '^') ? 'p' : 'P';
  return { length: whole.length, text: `\\${letter}{${property}}` };
}

/** The JavaScript property for a name, ignoring case. */
function propertyOf(name: string): string | undefined {
  if (!/^[A-Za-z_]+$/.test(name)) return undefined;
  const proper = `${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;
  if (proper === 'Ascii') return 'ASCII';
  if (proper === 'Any' || proper === 'Assigned') return proper;
  return [name, proper].flatMap((each) => [`General_Category=${each}`, `Script=${each}`]).find(isProperty);
}

function isProperty(property: string): boolean {
  try {
    return new RegExp(`\\p{${property}}`, 'v').unicodeSets;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** `escaped` returns an escape for a single character. */
export function escaped(rest: string): Character {
  if (rest.length < 2) throw new PatternError('trailing backslash at end of expression', '');
  const next = firstCharacter(rest.slice(1));
  const control = controls.get(next);
  if (control !== undefined) return { length: 2, char: String.fromCodePoint(control) };
  if (next === 'x') return hexadecimal(rest);
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  if (octal !== null) {
    return { length: octal[0].length, char: String.fromCodePoint(Number.parseInt(octal[1] ?? '0', 8)) };
  }
  if (/[^\0-\x7f]|[0-9A-Za-z]/u.test(next)) throw new PatternError('invalid escape sequence', `\\${next}`);
  return { length: 2, char: next };
}

const maxRune = 0x10ffff;

function hexadecimal(rest: string): Character {
  const match = /^\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/.exec(rest);
  const code = Number.parseInt(match?.[1] ?? match?.[2] ?? '', 16);
  if (match !== null && code <= maxRune) return { length: match[0].length, char: String.fromCodePoint(code) };
  throw new PatternError('invalid escape sequence', rest.startsWith('\\x{') ? readDigits(rest) : firstTwo(rest));
}

/** The text up to the character at which Go fails: not a digit, or one digit too many. */
function readDigits(rest: string): string {
  let read = '\\x{';
  for (const char of rest.slice(read.length)) {
    read += char;
    if (!/[0-9a-fA-F]/.test(char) || Number.parseInt(read.slice(3), 16) > maxRune) break;
  }
  return read;
}

const firstTwo = (rest: string): string => `\\x${Array.from(rest.slice(2, 6)).slice(0, 2).join('')}`;
