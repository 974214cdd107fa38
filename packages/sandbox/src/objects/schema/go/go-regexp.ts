/**
 * Patterns in schemas and in CEL are Go regular expressions (RE2). This parses one, reports errors with Go's texts, and
 * generates the JavaScript expression that matches the same strings. Its groups do not capture, because only whole
 * matches are needed.
 */
import {
  characterClass,
  escaped,
  firstCharacter,
  literal,
  PatternError,
  perlClass,
  unicodeClass,
} from './go-regexp-class.ts';
import { LinearRegExp } from './linear-regexp.ts';

export { PatternError } from './go-regexp-class.ts';

const compiled = new Map<string, RegExp | PatternError>();
const cacheLimit = 10_000;

/** `compilePattern` returns the compiled pattern, or its error. */
export function compilePattern(pattern: string): RegExp | PatternError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= cacheLimit) compiled.clear();
  const result = translate(pattern);
  compiled.set(pattern, result);
  return result;
}

function translate(pattern: string): RegExp | PatternError {
  try {
    return new LinearRegExp(new Translator(pattern).run());
  } catch (error) {
    if (error instanceof PatternError) return error;
    // Go would accept this pattern but JavaScript does not; an error is better than a wrong match.
    if (error instanceof SyntaxError) return new PatternError('invalid or unsupported Perl syntax', pattern);
    throw error;
  }
}

/** The state of the flags `i` (ignore case), `m` (multiline), `s` (dot matches newlines) and `U` (lazy by default). */
interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

interface Group {
  readonly flags: Flags;
  /** Where the group begins in the translation. */
  readonly start: number;
}

const assertions: ReadonlyMap<string, string> = new Map([
  ['A', '(?:^)'],
  ['z', '(?:$)'],
  ['b', '(?:\\b)'],
  ['B', '(?:\\B)'],
]);

const repetition = /^(?:[*+?]|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\})/;
const maxRepeat = 1000;

class Translator {
  readonly #pattern: string;
  #at = 0;
  #out = '';
  #flags: Flags = { i: false, m: false, s: false, U: false };
  readonly #groups: Group[] = [];
  /** Where the last repeatable item begins in the translation. */
  #operand: number | undefined;
  /** Whether that item is already repeated. */
  #repeated = false;
  /** Where the last repetition operator begins in the pattern. */
  #lastRepeat: number | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): string {
    while (this.#at < this.#pattern.length) {
      const start = this.#at;
      const match = repetition.exec(this.#rest);
      if (match === null) this.#next();
      else this.#repeat(match);
      this.#lastRepeat = match === null ? undefined : start;
    }
    if (this.#groups.length > 0) throw new PatternError('missing closing )', this.#pattern);
    return this.#out;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #next(): void {
    const rest = this.#rest;
    const char = firstCharacter(rest);
    switch (char) {
      case '(':
        return this.#open();
      case ')':
        return this.#close();
      case '|':
        this.#at += 1;
        this.#out += '|';
        this.#operand = undefined;
        return;
      case '[': {
        const { length, text } = characterClass(rest);
        return this.#atom(length, text);
      }
      case '.':
        return this.#atom(1, this.#flags.s ? '[^]' : '[^\\n]');
      case '^':
        return this.#atom(1, this.#flags.m ? '(?:(?<![^\\n]))' : '(?:^)');
      case '$':
        return this.#atom(1, this.#flags.m ? '(?:(?![^\\n]))' : '(?:$)');
      case '\\':
        return this.#escape();
      default:
        return this.#atom(char.length, literal(char));
    }
  }

  #atom(length: number, text: string): void {
    this.#at += length;
    this.#operand = this.#out.length;
    this.#repeated = false;
    // Case sensitivity is set per atom, so that flags that change within a group need no special handling.
    this.#out += this.#flags.i ? `(?i:${text})` : text;
  }

  #repeat(match: RegExpExecArray): void {
    const [operator, low, comma, high] = match;
    const start = this.#at;
    if (low !== undefined && isTooMany(Number(low), high)) throw new PatternError('invalid repeat count', operator);
    this.#at += operator.length;
    const lazy = this.#rest.startsWith('?');
    if (lazy) this.#at += 1;
    if (this.#lastRepeat !== undefined) {
      throw new PatternError('invalid nested repetition operator', this.#pattern.slice(this.#lastRepeat, this.#at));
    }
    const operand = this.#operand;
    if (operand === undefined) {
      throw new PatternError('missing argument to repetition operator', this.#pattern.slice(start, this.#at));
    }
    // Go allows flags between two repetition operators, JavaScript does not.
    if (this.#repeated) this.#out = `${this.#out.slice(0, operand)}(?:${this.#out.slice(operand)})`;
    const count = low === undefined ? operator : `{${low}${comma === undefined ? '' : `,${high ?? ''}`}}`;
    this.#out += count + (lazy === this.#flags.U ? '' : '?');
    this.#repeated = true;
  }

  #open(): void {
    const rest = this.#rest;
    if (!rest.startsWith('(?')) return this.#enter(1, this.#flags);
    if (/^\(\?(?:P<.|<.)/s.test(rest)) return this.#enter(namedGroup(rest), this.#flags);
    const flagged = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    if (flagged === null) throw new PatternError('invalid or unsupported Perl syntax', unknownGroup(rest));
    const flags = withFlags(this.#flags, flagged[1] ?? '', flagged[2] ?? '');
    if (flagged[3] === ':') return this.#enter(flagged[0].length, flags);
    this.#at += flagged[0].length;
    this.#flags = flags;
  }

  #enter(length: number, flags: Flags): void {
    this.#groups.push({ flags: this.#flags, start: this.#out.length });
    this.#flags = flags;
    this.#at += length;
    this.#out += '(?:';
    this.#operand = undefined;
  }

  #close(): void {
    const group = this.#groups.pop();
    if (group === undefined) throw new PatternError('unexpected )', this.#pattern);
    this.#flags = group.flags;
    this.#at += 1;
    this.#out += ')';
    this.#operand = group.start;
    this.#repeated = false;
  }

  #escape(): void {
    const rest = this.#rest;
    const assertion = assertions.get(rest[1] ?? '');
    if (assertion !== undefined) return this.#atom(2, assertion);
    if (rest[1] === 'Q') return this.#quoted();
    const set = unicodeClass(rest) ?? perlClass(rest);
    if (set !== undefined) return this.#atom(set.length, set.text);
    const { length, char } = escaped(rest);
    this.#atom(length, literal(char));
  }

  /** Everything up to `\E` is literal. */
  #quoted(): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const text = this.#pattern.slice(this.#at + 2, end === -1 ? undefined : end);
    for (const char of text) this.#atom(0, literal(char));
    this.#at = end === -1 ? this.#pattern.length : end + 2;
  }
}

function isTooMany(low: number, high: string | undefined): boolean {
  const most = high === undefined || high === '' ? low : Number(high);
  return low > maxRepeat || most > maxRepeat || most < low;
}

/** The length of the opening of a named group. */
function namedGroup(rest: string): number {
  const end = rest.indexOf('>');
  const opening = end === -1 ? rest : rest.slice(0, end + 1);
  if (!/^\(\?P?<\w+>$/.test(opening)) throw new PatternError('invalid named capture', opening);
  return opening.length;
}

/** The text up to the first character that is not a flag. */
const unknownGroup = (rest: string): string => /^\(\?[imsU]*(?:-[imsU]*)?[^]?/u.exec(rest)?.[0] ?? rest;

function withFlags(flags: Flags, on: string, off: string): Flags {
  const set = { ...flags };
  for (const flag of ['i', 'm', 's', 'U'] as const) {
    if (on.includes(flag)) set[flag] = true;
    if (off.includes(flag)) set[flag] = false;
  }
  return set;
}
