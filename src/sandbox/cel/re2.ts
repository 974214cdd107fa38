/**
 * Regular expressions as Go's regexp (RE2) reads them, translated for JavaScript: another set of escapes and classes,
 * no lookaround and no backreferences. Groups capture nothing, since CEL only asks for whole matches.
 */

const CACHE_SIZE = 1000;
const cache = new Map<string, RegExp | string>();

/** The compiled expression, or Go's words for what is wrong with it. */
export function re2(pattern: string): RegExp | string {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RegExp | string {
  try {
    return new RegExp(new Translator(pattern).translate(), 'u');
  } catch (error) {
    if (error instanceof Refusal) return `error parsing regexp: ${error.message}`;
    // What Go would take but JavaScript does not; better an error than a wrong match.
    if (error instanceof SyntaxError) return `error parsing regexp: ${error.message}`;
    throw error;
  }
}

class Refusal extends Error {}

const refuse = (what: string, where: string): Refusal => new Refusal(`${what}: \`${where}\``);

/** What `i` (case), `m` (lines), `s` (dot takes newlines) and `U` (lazy first) are set to. */
interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
  U: boolean;
}

interface Group {
  readonly flags: Flags;
}

const PERL_CLASSES: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['D', '\\0-\\/:-\\u{10ffff}'],
  ['s', '\\t\\n\\f\\r '],
  ['S', '\\0-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}'],
  ['w', '0-9A-Za-z_'],
  ['W', '\\0-\\/:-@\\[-\\^`\\{-\\u{10ffff}'],
]);

const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
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

const CONTROL: ReadonlyMap<string, string> = new Map([
  ['a', '\\x07'],
  ['f', '\\f'],
  ['t', '\\t'],
  ['n', '\\n'],
  ['r', '\\r'],
  ['v', '\\v'],
]);

const ASSERTIONS: ReadonlyMap<string, string> = new Map([
  ['A', '(?:^)'],
  ['z', '(?:$)'],
  ['b', '(?:\\b)'],
  ['B', '(?:\\B)'],
]);

const REPEAT = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/;
const MAX_REPEAT = 1000;

class Translator {
  readonly #pattern: string;
  #at = 0;
  #out = '';
  #flags: Flags = { i: false, m: false, s: false, U: false };
  readonly #groups: Group[] = [];
  /** Whether something stands before that can be repeated. */
  #repeatable = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  translate(): string {
    while (this.#at < this.#pattern.length) this.#next();
    if (this.#groups.length > 0) throw refuse('missing closing )', this.#pattern);
    return this.#out;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #next(): void {
    const rest = this.#rest;
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    switch (character) {
      case '(':
        return this.#open();
      case ')':
        return this.#close();
      case '|':
        this.#at++;
        this.#out += '|';
        this.#repeatable = false;
        return;
      case '[':
        return this.#class();
      case '.':
        return this.#atom(1, this.#flags.s ? '[^]' : '[^\\n]');
      case '^':
        return this.#atom(1, this.#flags.m ? '(?:(?<![^\\n]))' : '(?:^)');
      case '$':
        return this.#atom(1, this.#flags.m ? '(?:(?![^\\n]))' : '(?:$)');
      case '\\':
        return this.#escape();
    }
    const repeat = REPEAT.exec(rest);
    if (repeat !== null) return this.#repeat(repeat);
    this.#atom(character.length, literal(character));
  }

  #atom(length: number, text: string): void {
    this.#at += length;
    // Case is decided atom by atom, so that flags that change in the middle of a group need no care.
    this.#out += this.#flags.i ? `(?i:${text})` : text;
    this.#repeatable = true;
  }

  #open(): void {
    const rest = this.#rest;
    const named = /^\(\?P?<([A-Za-z0-9_]+)>/.exec(rest);
    const flagged = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    if (named !== null) return this.#enter(named[0].length, this.#flags);
    if (!rest.startsWith('(?')) return this.#enter(1, this.#flags);
    if (/^\(\?P?</.test(rest)) throw refuse('invalid named capture', rest.slice(0, captureEnd(rest)));
    if (flagged === null) throw refuse('invalid or unsupported Perl syntax', /^\(\?(?:P?<|.?)/.exec(rest)?.[0] ?? '(?');
    const flags = withFlags(this.#flags, flagged[1] ?? '', flagged[2] ?? '');
    if (flagged[3] === ':') return this.#enter(flagged[0].length, flags);
    this.#at += flagged[0].length;
    this.#flags = flags;
  }

  #enter(length: number, flags: Flags): void {
    this.#groups.push({ flags: this.#flags });
    this.#flags = flags;
    this.#at += length;
    this.#out += '(?:';
    this.#repeatable = false;
  }

  #close(): void {
    const group = this.#groups.pop();
    if (group === undefined) throw refuse('unexpected )', this.#pattern);
    this.#flags = group.flags;
    this.#at++;
    this.#out += ')';
    this.#repeatable = true;
  }

  #repeat(match: RegExpExecArray): void {
    const [operator, low, comma, high] = match;
    const bounds =
      low === undefined ? [] : [Number(low), high === undefined || high === '' ? Number(low) : Number(high)];
    if (bounds.some((bound) => bound > MAX_REPEAT) || (bounds[1] ?? 0) < (bounds[0] ?? 0)) {
      throw refuse('invalid repeat count', operator);
    }
    if (!this.#repeatable) throw refuse('missing argument to repetition operator', operator);
    this.#at += operator.length;
    const lazy = this.#rest.startsWith('?');
    if (lazy) this.#at++;
    const nested = REPEAT.exec(this.#rest);
    if (nested !== null) throw refuse('invalid nested repetition operator', operator + (lazy ? '?' : '') + nested[0]);
    const count = low === undefined ? operator : `{${low}${comma === undefined ? '' : `,${high ?? ''}`}}`;
    this.#out += count + (lazy === this.#flags.U ? '' : '?');
    this.#repeatable = false;
  }

  #escape(): void {
    const rest = this.#rest;
    const next = rest[1];
    if (next === undefined) throw refuse('trailing backslash at end of expression', '');
    const assertion = ASSERTIONS.get(next);
    if (assertion !== undefined) return this.#atom(2, assertion);
    if (next === 'Q') return this.#quoted();
    const perl = PERL_CLASSES.get(next);
    if (perl !== undefined) return this.#atom(2, `[${perl}]`);
    const property = unicodeClass(rest);
    if (property !== undefined) return this.#atom(property.length, property.text);
    const { length, text } = escapedCharacter(rest);
    this.#atom(length, text);
  }

  /** Everything up to `\E` is meant literally. */
  #quoted(): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const text = this.#pattern.slice(this.#at + 2, end === -1 ? undefined : end);
    for (const character of text) this.#atom(0, literal(character));
    this.#at = end === -1 ? this.#pattern.length : end + 2;
  }

  #class(): void {
    const start = this.#rest;
    const negated = start.startsWith('[^');
    let at = negated ? 2 : 1;
    let items = '';
    for (let first = true; first || start[at] !== ']'; first = false) {
      if (at >= start.length) throw refuse('missing closing ]', start);
      const item = classItem(start.slice(at), start);
      items += item.text;
      at += item.length;
    }
    this.#atom(at + 1, `[${negated ? '^' : ''}${items}]`);
  }
}

/** Up to the end of the name, or everything if there is none. */
const captureEnd = (rest: string): number | undefined => {
  const end = rest.indexOf('>');
  return end === -1 ? undefined : end + 1;
};

interface Piece {
  readonly length: number;
  readonly text: string;
}

/** One entry of a character class: a named class, a character or a range. */
function classItem(rest: string, whole: string): Piece {
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
  if (posix !== null) {
    const set = POSIX_CLASSES.get(posix[2] ?? '');
    if (set === undefined) throw refuse('invalid character class range', posix[0]);
    return { length: posix[0].length, text: posix[1] === '^' ? complement(set) : set };
  }
  const perl = rest.startsWith('\\') ? PERL_CLASSES.get(rest[1] ?? '') : undefined;
  if (perl !== undefined) return { length: 2, text: perl };
  const property = unicodeClass(rest);
  if (property !== undefined) return property;
  const low = classCharacter(rest, whole);
  const after = rest.slice(low.length);
  if (!after.startsWith('-') || after.length < 2 || after.startsWith('-]')) return low;
  const high = classCharacter(after.slice(1), whole);
  const length = low.length + 1 + high.length;
  if (codeOf(low.text) > codeOf(high.text)) throw refuse('invalid character class range', rest.slice(0, length));
  return { length, text: `${low.text}-${high.text}` };
}

function classCharacter(rest: string, whole: string): Piece {
  if (rest === '') throw refuse('missing closing ]', whole);
  if (rest.startsWith('\\')) return escapedCharacter(rest);
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return { length: character.length, text: `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` };
}

const codeOf = (escape: string): number =>
  escape.startsWith('\\u{') ? Number.parseInt(escape.slice(3, -1), 16) : (CONTROL_CODES.get(escape) ?? 0);

const CONTROL_CODES: ReadonlyMap<string, number> = new Map([
  ['\\x07', 7],
  ['\\t', 9],
  ['\\n', 10],
  ['\\v', 11],
  ['\\f', 12],
  ['\\r', 13],
]);

/** Inside a class there is no complement of a set, so the gaps between its ranges are written out. */
function complement(set: string): string {
  const inside = new RegExp(`[${set}]`, 'u');
  let out = '';
  for (let code = 0; code < 0x80; code++) {
    if (!inside.test(String.fromCharCode(code))) out += `\\u{${code.toString(16)}}`;
  }
  return `${out}\\u{80}-\\u{10ffff}`;
}

function unicodeClass(rest: string): Piece | undefined {
  const match = /^\\([pP])(?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))/.exec(rest);
  if (match === null) return undefined;
  const [whole, letter, caret = '', long, short] = match;
  const name = long ?? short ?? '';
  const inverted = (letter === 'P') !== (caret === '^');
  for (const property of [name, `Script=${name}`]) {
    const text = `\\${inverted ? 'P' : 'p'}{${property}}`;
    if (isProperty(text)) return { length: whole.length, text };
  }
  throw refuse('invalid character class range', whole);
}

function isProperty(text: string): boolean {
  try {
    return new RegExp(text, 'u').source === text;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function escapedCharacter(rest: string): Piece {
  const next = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  const control = CONTROL.get(next);
  if (control !== undefined) return { length: 2, text: control };
  const hex = /^\\x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/.exec(rest);
  if (hex !== null) return { length: hex[0].length, text: `\\u{${hex[1] ?? hex[2]}}` };
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  if (octal !== null) {
    return { length: octal[0].length, text: `\\u{${Number.parseInt(octal[1] ?? '0', 8).toString(16)}}` };
  }
  const code = next.codePointAt(0) ?? 0;
  if (code >= 0x80 || /[0-9A-Za-z]/.test(next)) throw refuse('invalid escape sequence', `\\${next}`);
  return { length: 2, text: `\\u{${code.toString(16)}}` };
}

const literal = (character: string): string => (/[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character);

function withFlags(flags: Flags, on: string, off: string): Flags {
  const set = { ...flags };
  for (const flag of ['i', 'm', 's', 'U'] as const) {
    if (on.includes(flag)) set[flag] = true;
    if (off.includes(flag)) set[flag] = false;
  }
  return set;
}
