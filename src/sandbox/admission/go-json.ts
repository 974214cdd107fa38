/** What Go's encoding/json says about a text that is not JSON: the first byte that does not fit, and where it stood. */

class Misfit extends Error {}

/** The complaint, or undefined for a text that is JSON. */
export function jsonSyntaxError(text: string): string | undefined {
  try {
    const scanner = new Scanner(text);
    scanner.value();
    scanner.end();
    return undefined;
  } catch (error) {
    if (error instanceof Misfit) return error.message;
    throw error;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    const first = this.#token();
    if (first === '{') this.#members();
    else if (first === '[') this.#elements();
    else if (first === '"') this.#string();
    else if (first === '-' || isDigit(first)) this.#number();
    else {
      const word = ['true', 'false', 'null'].find((known) => known[0] === first);
      if (word === undefined) throw this.#misfit('looking for beginning of value');
      this.#literal(word);
    }
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#misfit('after top-level value');
  }

  #members(): void {
    this.#at++;
    if (this.#token() === '}') return void this.#at++;
    for (;;) {
      if (this.#token() !== '"') throw this.#misfit('looking for beginning of object key string');
      this.#string();
      if (this.#token() !== ':') throw this.#misfit('after object key');
      this.#at++;
      this.value();
      const next = this.#token();
      if (next !== ',' && next !== '}') throw this.#misfit('after object key:value pair');
      this.#at++;
      if (next === '}') return;
    }
  }

  #elements(): void {
    this.#at++;
    if (this.#token() === ']') return void this.#at++;
    for (;;) {
      this.value();
      const next = this.#token();
      if (next !== ',' && next !== ']') throw this.#misfit('after array element');
      this.#at++;
      if (next === ']') return;
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const character = this.#here();
      if (character < ' ') throw this.#misfit('in string literal');
      this.#at++;
      if (character === '"') return;
      if (character === '\\') this.#escape();
    }
  }

  #escape(): void {
    const character = this.#here();
    if (!'"\\/bfnrtu'.includes(character)) throw this.#misfit('in string escape code');
    this.#at++;
    if (character !== 'u') return;
    for (let digits = 0; digits < 4; digits++) {
      if (!/[0-9a-fA-F]/.test(this.#here())) throw this.#misfit('in \\u hexadecimal character escape');
      this.#at++;
    }
  }

  #number(): void {
    if (this.#here() === '-') this.#at++;
    if (this.#here() === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (!/[eE]/.test(this.#text[this.#at] ?? '')) return;
    this.#at++;
    if (/[+-]/.test(this.#here())) this.#at++;
    this.#digits('in exponent of numeric literal');
  }

  #digits(where: string): void {
    if (!isDigit(this.#here())) throw this.#misfit(where);
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++;
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (this.#here() !== expected) throw this.#misfit(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
  }

  #skip(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  /** The next character that is no white space. */
  #token(): string {
    this.#skip();
    return this.#here();
  }

  #here(): string {
    const character = this.#text[this.#at];
    if (character === undefined) throw new Misfit('unexpected end of JSON input');
    return character;
  }

  #misfit(where: string): Misfit {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return new Misfit(`invalid character ${quoted(character)} ${where}`);
  }
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
