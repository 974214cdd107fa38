/**
 * Patterns of schemas are Go regular expressions (RE2). This reads one, complains in Go's words where it is bad, and
 * writes the JavaScript expression that matches the same texts.
 */
import { StringReader } from './string-reader.ts';

export class PatternError extends Error {
  constructor(problem: string, at: string) {
    super(`error parsing regexp: ${problem}: \`${at}\``);
    this.name = 'PatternError';
  }
}

const compiled = new Map<string, RegExp | PatternError>();
const cacheLimit = 10_000;

/** The compiled pattern, or what is wrong with it. */
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
    return new RegExp(new Translator(pattern).run(), 'v');
  } catch (error) {
    if (error instanceof PatternError) return error;
    if (error instanceof SyntaxError) return new PatternError('invalid or unsupported Perl syntax', pattern);
    throw error;
  }
}

const classes: { readonly [letter: string]: string } = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\t\\n\\f\\r ',
};
const posix: { readonly [name: string]: string } = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
const controls: { readonly [letter: string]: string } = {
  a: '\\x07',
  f: '\\f',
  t: '\\t',
  n: '\\n',
  r: '\\r',
  v: '\\v',
};
/** Punctuation is written by its code: which of it may be escaped differs inside and outside of classes. */
const literal = (char: string): string =>
  /^[!-/:-@[-`{-~]$/.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : char;
const repeat = /^\{(\d+)(,(\d*))?\}/;

class Translator {
  private readonly pattern: string;
  private readonly input: StringReader;
  private flags = { i: false, m: false, s: false };
  private depth = 0;
  private groups: { i: boolean; m: boolean; s: boolean }[] = [];

  constructor(pattern: string) {
    this.pattern = pattern;
    this.input = new StringReader(pattern);
  }

  run(): string {
    let out = '';
    /** Where the last operand starts in the input, for Go's complaints about repetitions. */
    let operand = -1;
    let repeated = -1;
    while (!this.input.done()) {
      const start = this.input.at;
      const repetition = this.repetition();
      if (repetition !== undefined) {
        if (operand === -1) {
          const problem =
            repeated === -1 ? 'missing argument to repetition operator' : 'invalid nested repetition operator';
          throw new PatternError(problem, this.pattern.slice(repeated === -1 ? start : repeated, this.input.at));
        }
        out += repetition;
        repeated = start;
        operand = -1;
        continue;
      }
      const char = this.input.peek();
      out += this.token();
      repeated = -1;
      operand = char === '(' || char === '|' ? -1 : start;
    }
    if (this.depth > 0) throw new PatternError('missing closing )', this.pattern);
    return out;
  }

  private repetition(): string | undefined {
    const char = this.input.peek();
    let text: string | undefined;
    if (char === '*' || char === '+' || char === '?') text = this.input.take(1);
    else if (char === '{') {
      const match = repeat.exec(this.input.rest());
      if (match === null) return undefined;
      text = this.input.take(match[0].length);
      const low = Number(match[1]);
      const high = match[3] === undefined || match[3] === '' ? low : Number(match[3]);
      if (low > 1000 || high > 1000 || high < low) throw new PatternError('invalid repeat count', text);
    }
    if (text === undefined) return undefined;
    return this.input.peek() === '?' ? text + this.input.take(1) : text;
  }

  private token(): string {
    const char = this.input.take(1);
    switch (char) {
      case '\\':
        return this.escape();
      case '[':
        return this.cased(this.characterClass());
      case '(':
        return this.open();
      case ')':
        return this.close();
      case '.':
        return this.flags.s ? '[\\s\\S]' : '[^\\n]';
      case '^':
        return this.flags.m ? '(?<=^|\\n)' : '^';
      case '$':
        return this.flags.m ? '(?=$|\\n)' : '$';
      case '|':
        return '|';
      default:
        return this.cased(literal(this.input.completed(char)));
    }
  }

  private cased(text: string): string {
    return this.flags.i ? `(?i:${text})` : text;
  }

  private open(): string {
    this.groups.push({ ...this.flags });
    this.depth += 1;
    if (this.input.peek() !== '?') return '(';
    const rest = this.input.rest();
    const named = /^\?P?<([A-Za-z0-9_]+)>/.exec(rest);
    if (named !== null) {
      this.input.take(named[0].length);
      return `(?<${/^\d/.test(named[1] ?? '') ? `_${named[1]}` : named[1]}>`;
    }
    const flags = /^\?([imsU]*)(-([imsU]+))?([:)])/.exec(rest);
    if (flags === null)
      throw new PatternError('invalid or unsupported Perl syntax', `(${rest.slice(0, rest.startsWith('?<') ? 3 : 2)}`);
    this.input.take(flags[0].length);
    const scoped = flags[4] === ':';
    if (!scoped) {
      // `(?i)` holds until the end of the group that surrounds it.
      this.groups.pop();
      this.depth -= 1;
    }
    this.setFlags(flags[1] ?? '', true);
    this.setFlags(flags[3] ?? '', false);
    return scoped ? '(?:' : '';
  }

  private setFlags(letters: string, on: boolean): void {
    for (const letter of letters) if (letter === 'i' || letter === 'm' || letter === 's') this.flags[letter] = on;
  }

  private close(): string {
    const outer = this.groups.pop();
    if (outer === undefined) throw new PatternError('unexpected )', this.pattern);
    this.depth -= 1;
    this.flags = outer;
    return ')';
  }

  private escape(): string {
    const char = this.input.peek();
    if (char === '') throw new PatternError('trailing backslash at end of expression', '');
    if (char === 'Q') return this.quoted();
    if (char === 'A') return this.after('^');
    if (char === 'z') return this.after('$');
    if (char === 'b' || char === 'B') return this.after(`\\${char}`);
    return this.cased(this.classEscape(false));
  }

  private after(text: string): string {
    this.input.take(1);
    return text;
  }

  private quoted(): string {
    this.input.take(1);
    const end = this.input.rest().indexOf('\\E');
    const text = this.input.take(end === -1 ? this.input.rest().length : end);
    if (end !== -1) this.input.take(2);
    return this.cased(`(?:${[...text].map(literal).join('')})`);
  }

  /** An escape that means a set or a character; `inside` a class it is written without brackets of its own. */
  private classEscape(inside: boolean): string {
    const char = this.input.take(1);
    const set = classes[char.toLowerCase()];
    if (set !== undefined && /[dwsDWS]/.test(char)) {
      const negated = char !== char.toLowerCase();
      return negated ? `[^${set}]` : inside ? set : `[${set}]`;
    }
    if (char === 'p' || char === 'P') return this.unicodeClass(char);
    if (char === 'x') return this.hex();
    if (/[0-7]/.test(char)) return this.octal(char);
    const control = controls[char];
    if (control !== undefined) return control;
    if (/[A-Za-z0-9]/.test(char) || (char.codePointAt(0) ?? 0) > 0x7f) {
      throw new PatternError('invalid escape sequence', `\\${char}`);
    }
    return literal(char);
  }

  private unicodeClass(letter: string): string {
    const match = /^(\{\^?[A-Za-z_]+\}|[A-Za-z])/.exec(this.input.rest());
    if (match === null)
      throw new PatternError('invalid character class range', `\\${letter}${this.input.rest().slice(0, 1)}`);
    const name = this.input.take(match[0].length).replace(/[{}]/g, '');
    const negated = (letter === 'P') !== name.startsWith('^');
    const plain = name.replace('^', '');
    const property = plain.length <= 2 ? plain : `Script=${plain}`;
    return `\\${negated ? 'P' : 'p'}{${property}}`;
  }

  private hex(): string {
    const match = /^(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(this.input.rest());
    if (match === null) throw new PatternError('invalid escape sequence', `\\x${this.input.rest().slice(0, 1)}`);
    this.input.take(match[0].length);
    return `\\u{${match[1] ?? match[2] ?? ''}}`;
  }

  private octal(first: string): string {
    const digits = /^[0-7]{0,2}/.exec(this.input.rest())?.[0] ?? '';
    if (first !== '0' && digits === '') throw new PatternError('invalid escape sequence', `\\${first}`);
    return `\\u{${Number.parseInt(first + this.input.take(digits.length), 8).toString(16)}}`;
  }

  private characterClass(): string {
    const start = this.input.at - 1;
    const missing = (): PatternError => new PatternError('missing closing ]', this.pattern.slice(start));
    let out = this.input.peek() === '^' ? `[${this.input.take(1)}` : '[';
    let first = true;
    while (first || this.input.peek() !== ']') {
      if (this.input.done()) throw missing();
      first = false;
      const named = /^\[:(\^?)([a-z]+):\]/.exec(this.input.rest());
      if (named !== null) {
        const set = posix[named[2] ?? ''];
        if (set === undefined) throw new PatternError('invalid character class range', named[0]);
        this.input.take(named[0].length);
        out += named[1] === '^' ? `[^${set}]` : set;
        continue;
      }
      out += this.classRange(missing);
    }
    this.input.take(1);
    return `${out}]`;
  }

  private classRange(missing: () => PatternError): string {
    const from = this.input.at;
    const low = this.classChar();
    const rest = this.input.rest();
    if (low.length > 1 && !low.startsWith('\\')) return low;
    if (/^\\[pP]/.test(low) || !rest.startsWith('-') || rest.startsWith('-]')) return low;
    this.input.take(1);
    if (this.input.done()) throw missing();
    const high = this.classChar();
    if (codeOf(high) < codeOf(low)) {
      throw new PatternError('invalid character class range', this.pattern.slice(from, this.input.at));
    }
    return `${low}-${high}`;
  }

  private classChar(): string {
    const char = this.input.take(1);
    if (char !== '\\') return literal(this.input.completed(char));
    if (this.input.done()) throw new PatternError('trailing backslash at end of expression', '');
    return this.classEscape(true);
  }
}

function codeOf(char: string): number {
  const hex = /^\\u\{([0-9a-fA-F]+)\}$/.exec(char) ?? /^\\x([0-9a-fA-F]{2})$/.exec(char);
  if (hex !== null) return Number.parseInt(hex[1] ?? '0', 16);
  const control = { '\\t': 9, '\\n': 10, '\\v': 11, '\\f': 12, '\\r': 13 }[char];
  return control ?? char.replace(/^\\/, '').codePointAt(0) ?? 0;
}
