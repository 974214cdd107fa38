/** Parses a regular expression, as far as it can be matched by looking at each character once. */

type Member = (code: number) => boolean;

export type PatternNode =
  | { readonly is: 'one'; readonly of: Member }
  | { readonly is: 'edge'; readonly edge: 'start' | 'end' }
  | { readonly is: 'row' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly is: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

/** The message continues "cannot be judged: ". */
export class Unjudged extends Error {
  override readonly name = 'Unjudged';
}

const isDigit: Member = (code) => code >= 48 && code <= 57;
const isWord: Member = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: Member = (code) => /\s/.test(String.fromCodePoint(code));
const not =
  (member: Member): Member =>
  (code) =>
    !member(code);

const classes: Readonly<Record<string, Member>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 };
const MOST_TIMES = 1000;

export class PatternReader {
  readonly #text: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#text = [...source];
  }

  read(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new Unjudged('a ")" closes nothing');
    return node;
  }

  #choice(): PatternNode {
    const parts = [this.#row()];
    while (this.#take('|')) parts.push(this.#row());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { is: 'choice', parts };
  }

  #row(): PatternNode {
    const parts: PatternNode[] = [];
    for (let one = this.#peek(); one !== undefined && one !== '|' && one !== ')'; one = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { is: 'row', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const times = this.#times();
    if (times === undefined) return part;
    this.#take('?');
    if (/^[*+?{]/.test(this.#peek() ?? '')) throw new Unjudged('a repetition is repeated without a group');
    return { is: 'repeat', part, least: times[0], most: times[1] };
  }

  #times(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const end = this.#text.indexOf('}', this.#at);
    const [, from, comma, to] = /^(\d{1,4})(,(\d{1,4})?)?$/.exec(this.#text.slice(this.#at, end).join('')) ?? [];
    if (end < 0 || from === undefined) throw new Unjudged('a "{" begins no repetition: write "\\{" for the character');
    this.#at = end + 1;
    const least = Number(from);
    const most = comma === undefined ? least : to === undefined ? Infinity : Number(to);
    if (least > MOST_TIMES || (most !== Infinity && most > MOST_TIMES) || most < least)
      throw new Unjudged(`something is repeated more than ${MOST_TIMES} times, or less than none`);
    return [least, most];
  }

  #atom(): PatternNode {
    const one = this.#next();
    switch (one) {
      case '(':
        return this.#group();
      case '[':
        return { is: 'one', of: this.#set() };
      case '.':
        return { is: 'one', of: (code) => code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029 };
      case '^':
        return { is: 'edge', edge: 'start' };
      case '$':
        return { is: 'edge', edge: 'end' };
      case '*':
      case '+':
      case '?':
      case '{':
        throw new Unjudged(`a "${one}" repeats nothing`);
      case '\\':
        return { is: 'one', of: asMember(this.#escaped()) };
      default:
        return { is: 'one', of: asMember(one.codePointAt(0) ?? 0) };
    }
  }

  #group(): PatternNode {
    if (this.#take('?') && !this.#take(':'))
      throw new Unjudged('it looks ahead or back, or sets flags: groups are "(…)" or "(?:…)"');
    const node = this.#choice();
    if (!this.#take(')')) throw new Unjudged('a "(" is not closed');
    return node;
  }

  #set(): Member {
    const isNot = this.#take('^');
    const members: Member[] = [];
    while (!this.#take(']')) {
      const from = this.#member();
      if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') {
        members.push(asMember(from));
        continue;
      }
      this.#next();
      const to = this.#member();
      if (typeof from !== 'number' || typeof to !== 'number' || to < from)
        throw new Unjudged('a range in "[…]" does not go from a character to a later one');
      members.push((code) => code >= from && code <= to);
    }
    if (members.length === 0) throw new Unjudged('a "[]" has no characters');
    const isIn: Member = (code) => members.some((member) => member(code));
    return isNot ? not(isIn) : isIn;
  }

  #member(): number | Member {
    const one = this.#next('a "[" is not closed');
    if (one === '\\') return this.#escaped();
    if (one === '[') throw new Unjudged('a "[" appears in "[…]": write "\\[" for the character');
    return one.codePointAt(0) ?? 0;
  }

  #escaped(): number | Member {
    const one = this.#next('it ends with a "\\"');
    const known = classes[one] ?? controls[one];
    if (known !== undefined) return known;
    if (one === 'x' || one === 'u') {
      const length = one === 'x' ? 2 : 4;
      const digits = this.#text.slice(this.#at, this.#at + length).join('');
      if (digits.length !== length || !/^[\dA-Fa-f]+$/.test(digits))
        throw new Unjudged(`"\\${one}" is not followed by ${length} hexadecimal digits`);
      this.#at += length;
      return Number.parseInt(digits, 16);
    }
    if (/[A-Za-z0-9]/.test(one)) throw new Unjudged(`"\\${one}" is not known here`);
    return one.codePointAt(0) ?? 0;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #next(missing = 'it ends too soon'): string {
    const one = this.#text[this.#at];
    if (one === undefined) throw new Unjudged(missing);
    this.#at += 1;
    return one;
  }

  #take(one: string): boolean {
    if (this.#text[this.#at] !== one) return false;
    this.#at += 1;
    return true;
  }
}

function asMember(one: number | Member): Member {
  return typeof one === 'number' ? (code) => code === one : one;
}
