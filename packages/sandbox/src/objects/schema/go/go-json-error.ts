/**
 * The error text of Go's JSON decoder for a text that is not JSON. Called only after JSON.parse has failed, so it need
 * not be fast: it follows the grammar byte by byte to the first invalid byte.
 */

import { MAX_DEPTH } from '../../../values/depth.ts';

const WHITE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

class Misfit extends Error {}

export function goJsonError(text: string): string {
  const scanner = new Scanner(Buffer.from(text));
  try {
    scanner.document();
    // JSON.parse failed but the grammar below did not, so the text ends too early.
    return 'unexpected end of JSON input';
  } catch (error) {
    if (error instanceof Misfit) return error.message;
    throw error;
  }
}

class Scanner {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  document(): void {
    this.#value();
    this.#skip();
    if (this.#at < this.#bytes.length) this.#misfit('after top-level value');
  }

  #value(): void {
    this.#skip();
    const byte = this.#peek();
    if (this.#depth >= MAX_DEPTH && (byte === 0x7b || byte === 0x5b)) this.#misfit('exceeded max depth');
    this.#depth++;
    this.#content(byte);
    this.#depth--;
  }

  #content(byte: number | undefined): void {
    switch (byte === undefined ? '' : String.fromCharCode(byte)) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true');
      case 'f':
        return this.#literal('false');
      case 'n':
        return this.#literal('null');
      case '-':
        this.#at++;
        if (!isDigit(this.#peek())) this.#misfit('in numeric literal');
        return this.#number();
      default:
        if (!isDigit(byte)) this.#misfit('looking for beginning of value');
        return this.#number();
    }
  }

  #object(): void {
    this.#at++;
    this.#skip();
    if (this.#take('}')) return;
    for (;;) {
      this.#skip();
      if (this.#peek() !== 0x22) this.#misfit('looking for beginning of object key string');
      this.#string();
      this.#skip();
      if (!this.#take(':')) this.#misfit('after object key');
      this.#value();
      this.#skip();
      if (this.#take('}')) return;
      if (!this.#take(',')) this.#misfit('after object key:value pair');
    }
  }

  #array(): void {
    this.#at++;
    this.#skip();
    if (this.#take(']')) return;
    for (;;) {
      this.#value();
      this.#skip();
      if (this.#take(']')) return;
      if (!this.#take(',')) this.#misfit('after array element');
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const byte = this.#peek();
      if (byte === undefined || byte < 0x20) this.#misfit('in string literal');
      if (this.#take('"')) return;
      this.#at++;
      if (byte === 0x5c) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#peek();
    if (byte === undefined || !'bfnrt\\/"u'.includes(String.fromCharCode(byte))) this.#misfit('in string escape code');
    this.#at++;
    if (byte !== 0x75) return;
    for (let i = 0; i < 4; i++, this.#at++) {
      const digit = this.#peek();
      if (digit === undefined || !/[0-9a-fA-F]/.test(String.fromCharCode(digit)))
        this.#misfit(String.raw`in \u hexadecimal character escape`);
    }
  }

  #literal(word: string): void {
    for (const [i, character] of [...word].entries()) {
      if (this.#peek() !== character.charCodeAt(0)) this.#misfit(`in literal ${word} (expecting '${word[i] ?? ''}')`);
      this.#at++;
    }
  }

  #number(): void {
    if (!this.#take('0')) this.#digits();
    if (this.#take('.')) {
      if (!isDigit(this.#peek())) this.#misfit('after decimal point in numeric literal');
      this.#digits();
    }
    if (!this.#take('e') && !this.#take('E')) return;
    if (!this.#take('+')) this.#take('-');
    if (!isDigit(this.#peek())) this.#misfit('in exponent of numeric literal');
    this.#digits();
  }

  #digits(): void {
    while (isDigit(this.#peek())) this.#at++;
  }

  #skip(): void {
    while (WHITE.has(this.#bytes[this.#at] ?? -1)) this.#at++;
  }

  #peek(): number | undefined {
    return this.#bytes[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character.charCodeAt(0)) return false;
    this.#at++;
    return true;
  }

  #misfit(where: string): never {
    const byte = this.#peek();
    throw new Misfit(
      byte === undefined ? 'unexpected end of JSON input' : `invalid character ${quoteByte(byte)} ${where}`,
    );
  }
}

/** Go interprets the byte as a character. */
export function quoteByte(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  if (byte === 0x5c) return String.raw`'\\'`;
  const named = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' }[byte];
  if (named !== undefined) return `'\\${named}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (byte >= 0x80 && byte <= 0xa0) return `'\\u00${byte.toString(16)}'`;
  return byte === 0xad ? String.raw`'\u00ad'` : `'${String.fromCharCode(byte)}'`;
}
