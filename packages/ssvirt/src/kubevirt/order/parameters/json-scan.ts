/**
 * Scans a JSON text without building values, for facts that `JSON.parse` does not report: where the text is wrong (its
 * error messages quote the text, which may contain secrets), how a number was written, and which names appear twice. It
 * keeps its own stack: a text may be nested as deep as it is long.
 */

export interface ScannedEntry {
  readonly name: string;
  /** The value as in the text. */
  readonly written: string;
}

export interface JsonFault {
  /** Zero-based. */
  readonly at: number;
  readonly expected: string;
}

export type Scan = { readonly entries: readonly ScannedEntry[] } | { readonly fault: JsonFault };

/** `scanJson` returns the names and values of the outermost object; no entries for any other value. */
export function scanJson(text: string): Scan {
  return new Scanner(text).run();
}

const expectations = {
  value: 'a value',
  firstValue: 'a value or "]"',
  name: 'a name in double quotes',
  firstName: 'a name in double quotes, or "}"',
  colon: 'a colon',
  rest: 'a comma, or the end of the list or object',
  nothing: 'nothing more',
} as const;

const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /["\\/bfnrt]|u[\dA-Fa-f]{4}/y;

class Scanner {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  readonly #entries: ScannedEntry[] = [];
  #at = 0;
  #next: keyof typeof expectations = 'value';
  /** The position inside a malformed string at which it goes wrong. */
  #tornAt: number | undefined;
  #name = '';
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): Scan {
    for (;;) {
      this.#at = this.#after(space) ?? this.#at;
      const one = this.#text[this.#at];
      if (one === undefined && this.#next === 'nothing') return { entries: this.#entries };
      if (one === undefined || !this.#step(one)) return { fault: this.#fault() };
    }
  }

  #fault(): JsonFault {
    return this.#tornAt === undefined
      ? { at: this.#at, expected: expectations[this.#next] }
      : { at: this.#tornAt, expected: 'the rest of a text in double quotes, with line breaks as \\n and \\ as \\\\' };
  }

  #step(one: string): boolean {
    switch (this.#next) {
      case 'nothing':
        return false;
      case 'colon':
        return one === ':' && this.#go('value');
      case 'rest':
        return one === ',' ? this.#go(this.#open.at(-1) === '{' ? 'name' : 'value') : this.#close(one);
      case 'firstName':
        return one === '}' ? this.#close(one) : this.#readName(one);
      case 'name':
        return this.#readName(one);
      case 'firstValue':
        return one === ']' ? this.#close(one) : this.#readValue(one);
      case 'value':
        return this.#readValue(one);
    }
  }

  #go(next: keyof typeof expectations): true {
    this.#at += 1;
    this.#next = next;
    return true;
  }

  #close(one: string): boolean {
    if (one !== (this.#open.at(-1) === '{' ? '}' : ']')) return false;
    this.#open.pop();
    return this.#valueEnds(this.#at + 1);
  }

  #readName(one: string): boolean {
    const end = one === '"' ? this.#stringEnd() : undefined;
    if (end === undefined) return false;
    if (this.#isOutermost()) this.#name = JSON.parse(this.#text.slice(this.#at, end)) as string;
    this.#at = end;
    this.#next = 'colon';
    return true;
  }

  #readValue(one: string): boolean {
    if (this.#isOutermost()) this.#start = this.#at;
    if (one === '{' || one === '[') {
      this.#open.push(one);
      return this.#go(one === '{' ? 'firstName' : 'firstValue');
    }
    const end = one === '"' ? this.#stringEnd() : this.#after(word);
    return end !== undefined && this.#valueEnds(end);
  }

  #valueEnds(end: number): true {
    this.#at = end;
    this.#next = this.#open.length === 0 ? 'nothing' : 'rest';
    if (this.#isOutermost()) this.#entries.push({ name: this.#name, written: this.#text.slice(this.#start, end) });
    return true;
  }

  #isOutermost(): boolean {
    return this.#open.length === 1 && this.#open[0] === '{';
  }

  #stringEnd(): number | undefined {
    for (let at = this.#at + 1; ; at += 1) {
      const one = this.#text[at];
      if (one === '"') return at + 1;
      if (one === '\\') {
        const end = this.#after(escape, at + 1);
        if (end !== undefined) {
          at = end - 1;
          continue;
        }
      }
      if (one === undefined || one === '\\' || one < ' ') {
        this.#tornAt = at;
        return undefined;
      }
    }
  }

  /** Returns where a match that begins here ends. */
  #after(pattern: RegExp, at = this.#at): number | undefined {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }
}
