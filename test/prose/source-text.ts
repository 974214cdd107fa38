/**
 * What a person reads in a TypeScript or JavaScript file: its comments and its string literals. It splits the source into tokens without a parser, so a regular
 * expression is told from a division by the token before it.
 */
import { unescaped } from './escapes.ts';

/** `Span` is a part of a file. What is not prose in it is blanked, so that every offset stays that of the file. */
export interface Span {
  readonly start: number;
  readonly text: string;
}

export interface SourceText {
  readonly comments: readonly Span[];
  readonly strings: readonly Span[];
}

/** A character that is neither a letter nor a space: words on both sides of it are not a phrase. */
export const filler = '\uFFFC';

/** `readSource` throws where a string, a template or a comment does not end. */
export function readSource(source: string): SourceText {
  const reader = new Reader(source);
  reader.read();
  return { comments: joined(reader.comments, source), strings: reader.strings.toSorted((a, b) => a.start - b.start) };
}

const blank = /\s+/y;
const lineComment = /(?:\/\/|^#!)[^\n]*/y;
const blockComment = /\/\*[^]*?\*\//y;
const quoted = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const word = /[\w$\u0080-\uFFFF]+/y;
/** After these words an expression begins. */
const beforeExpression =
  /^(?:return|typeof|case|in|of|delete|void|instanceof|new|throw|yield|await|else|do|extends|default)$/;

class Reader {
  readonly comments: Span[] = [];
  readonly strings: Span[] = [];
  readonly #source: string;
  #at = 0;
  /** The token before, without blanks and comments. */
  #last = '';

  constructor(source: string) {
    this.#source = source;
  }

  read(): void {
    this.#readCode(0);
    if (this.#at < this.#source.length) this.#fail('a brace is closed that was not opened', this.#at);
  }

  /** Reads to the end, or to the brace that closes a substitution. */
  #readCode(depth: number): void {
    let open = 0;
    while (this.#at < this.#source.length) {
      const start = this.#at;
      if (this.#take(blank) !== undefined) continue;
      if (this.#readComment(start)) continue;
      const next = this.#source.charAt(start);
      if (next === '}' && open === 0 && depth > 0) return;
      if (next === '{') open++;
      if (next === '}') open--;
      if (next === "'" || next === '"') this.#readQuoted(start);
      else if (next === '`') this.#readTemplate(depth);
      else this.#last = this.#takeToken(next);
    }
  }

  #readComment(start: number): boolean {
    const line = this.#take(lineComment);
    const text = line ?? this.#take(blockComment);
    if (text === undefined) {
      if (this.#source.startsWith('/*', start)) this.#fail('a comment does not end', start);
      return false;
    }
    const inner = line === undefined ? text.slice(2, -2).replaceAll(/^([ \t]*)\*/gm, '$1 ') : text.slice(2);
    this.comments.push({ start: start + 2, text: inner });
    return true;
  }

  #readQuoted(start: number): void {
    const text = this.#take(quoted);
    if (text === undefined) this.#fail('a string does not end', start);
    this.strings.push({ start: start + 1, text: unescaped(text.slice(1, -1)) });
    this.#last = "'";
  }

  #readTemplate(depth: number): void {
    const start = this.#at++;
    let text = '';
    for (;;) {
      const next = this.#source.charAt(this.#at);
      if (next === '') this.#fail('a template does not end', start);
      if (next === '`') break;
      if (this.#source.startsWith('${', this.#at)) {
        const from = this.#at;
        this.#at += 2;
        this.#last = '{';
        this.#readCode(depth + 1);
        this.#at++;
        text += this.#source.slice(from, this.#at).replaceAll(/[^\n]/g, filler);
      } else {
        const length = next === '\\' ? 2 : 1;
        text += this.#source.slice(this.#at, this.#at + length);
        this.#at += length;
      }
    }
    this.#at++;
    this.strings.push({ start: start + 1, text: unescaped(text) });
    this.#last = '`';
  }

  #takeToken(next: string): string {
    const name = this.#take(word);
    if (name !== undefined) return this.#last === '.' ? 'name' : name;
    if (next === '/' && !this.#isAfterValue() && this.#take(regularExpression) !== undefined) return 'regex';
    this.#at++;
    const sign = this.#last + next;
    if (sign === '++' || sign === '--') return 'name';
    // `x!` is x itself, as in `x! / 2`.
    return next === '!' && this.#isAfterValue() ? 'name' : next;
  }

  /** After a value a slash divides. */
  #isAfterValue(): boolean {
    return /^(?:[\w$\u0080-\uFFFF]+|[)\]}'`])$/.test(this.#last) && !beforeExpression.test(this.#last);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    this.#at += text?.length ?? 0;
    return text;
  }

  #fail(what: string, at: number): never {
    throw new Error(`line ${lineAt(this.#source, at)}: ${what}`);
  }
}

/** `isSentence` says whether a literal has words, and is not a name. */
export function isSentence({ text }: Span): boolean {
  return /[^\s\uFFFC]\s+[^\s\uFFFC]/.test(text) || /\w\s+\uFFFC|\uFFFC\s+\w/.test(text);
}

/** A comment of several `//` lines is one text. */
function joined(comments: readonly Span[], source: string): readonly Span[] {
  const spans: Span[] = [];
  for (const comment of comments) {
    const before = spans.at(-1);
    const end = before === undefined ? 0 : before.start + before.text.length;
    const between = source.slice(end, comment.start);
    if (before !== undefined && /^\n[ \t]*\/\/$/.test(between))
      spans[spans.length - 1] = { start: before.start, text: before.text + between.replace('//', '  ') + comment.text };
    else spans.push(comment);
  }
  return spans;
}

/** Counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
