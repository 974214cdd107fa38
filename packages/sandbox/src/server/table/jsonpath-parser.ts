/**
 * The parser of Kubernetes' JSONPath dialect (the text between the braces in kubectl's templates), for printer columns
 * and selectable fields. The dialect and its error texts are those of client-go's jsonpath package.
 */

export type Node =
  | { readonly type: 'field'; readonly name: string }
  | {
      readonly type: 'array';
      readonly start?: number;
      readonly end?: number;
      readonly step?: number;
      readonly single: boolean;
    }
  | { readonly type: 'filter'; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  | { readonly type: 'union'; readonly parts: readonly JsonPath[] }
  | { readonly type: 'literal'; readonly value: string | number | boolean }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'identifier'; readonly name: string };

export type JsonPath = readonly Node[];

export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** `parseJsonPath` parses a path such as `.status.conditions[?(@.type=="Ready")].status`. */
export function parseJsonPath(path: string): JsonPath {
  return new Parser(path).parse();
}

const terminator = /[\s.,[\]$@{}]/;

class Parser {
  readonly #text: string;
  readonly #nodes: Node[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Node[] {
    while (this.#at < this.#text.length && this.#text[this.#at] !== '}') this.#parseNext();
    return this.#nodes;
  }

  #parseNext(): void {
    const character = this.#text[this.#at] ?? '';
    if (this.#text.startsWith('[?(', this.#at)) this.#parseFilter();
    else if (this.#text.startsWith('..', this.#at)) this.#parseRecursive();
    else if (character === '[') this.#parseArray();
    else if (character === '"' || character === "'") this.#parseQuote(character);
    else if (character === '.') this.#parseField(this.#at + 1);
    else if (character === ' ' || character === '@' || character === '$') this.#at++;
    else if (/[+\-\p{Nd}]/u.test(character)) this.#parseNumber();
    else if (/[_\p{L}]/u.test(character)) this.#parseIdentifier();
    else if (/[\r\n]/.test(character)) throw new JsonPathError('unclosed action');
    else throw new JsonPathError(`unrecognized character in action: ${codePoint(character)}`);
  }

  #parseField(start: number): void {
    let end = start;
    while (end < this.#text.length && !terminator.test(this.#text[end] ?? '')) end += this.#text[end] === '\\' ? 2 : 1;
    end = Math.min(end, this.#text.length);
    const name = this.#text.slice(start, end);
    this.#nodes.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') });
    this.#at = end;
  }

  #parseRecursive(): void {
    if (this.#nodes.at(-1)?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    this.#nodes.push({ type: 'recursive' });
    this.#at += 2;
    if (/[_\p{L}\p{Nd}]/u.test(this.#text[this.#at] ?? '')) this.#parseField(this.#at);
  }

  #parseNumber(): void {
    const [number] = /^[+-]?[.\p{Nd}]*/u.exec(this.#text.slice(this.#at)) ?? [''];
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(number)) throw new JsonPathError(`cannot parse number ${number}`);
    this.#nodes.push({ type: 'literal', value: Number(number) });
    this.#at += number.length;
  }

  #parseIdentifier(): void {
    let end = this.#at;
    while (end < this.#text.length && !terminator.test(this.#text[end] ?? '')) end++;
    const name = this.#text.slice(this.#at, end);
    const isBoolean = name === 'true' || name === 'false';
    this.#nodes.push(isBoolean ? { type: 'literal', value: name === 'true' } : { type: 'identifier', name });
    this.#at = end;
  }

  #parseQuote(quote: string): void {
    let end = this.#at + 1;
    while (this.#text[end] !== quote || this.#text[end - 1] === '\\') {
      if (end >= this.#text.length || this.#text[end] === '\n') throw new JsonPathError('unterminated quoted string');
      end++;
    }
    this.#nodes.push({ type: 'literal', value: unquote(this.#text.slice(this.#at + 1, end)) });
    this.#at = end + 1;
  }

  #parseArray(): void {
    const end = this.#text.indexOf(']', this.#at);
    const inner = this.#text.slice(this.#at + 1, end);
    if (end < 0 || inner.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    const parts = inner.split(',');
    const key = /^'([^']*)'$/.exec(inner);
    if (parts.length > 1) {
      this.#nodes.push({ type: 'union', parts: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) });
    } else if (key !== null) this.#nodes.push(...parseJsonPath(`.${key[1]}`));
    else this.#nodes.push(parseSlice(inner === '*' ? ':' : inner));
  }

  #parseFilter(): void {
    const start = this.#at + 3;
    const end = filterEnd(this.#text, start);
    if (this.#text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.#at = end + 2;
    const inner = this.#text.slice(start, end);
    const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(inner);
    this.#nodes.push({
      type: 'filter',
      left: parseJsonPath(comparison?.[1] ?? inner),
      operator: comparison?.[2] ?? 'exists',
      right: parseJsonPath(comparison?.[3] ?? ''),
    });
  }
}

/** The position of the bracket that ends a filter; brackets in quotes do not count. */
function filterEnd(text: string, start: number): number {
  let quote = '';
  let closed = false;
  for (let i = start; i < text.length && text[i] !== '\n'; i++) {
    const character = text[i] ?? '';
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote && text[i - 1] !== '\\') closed = true;
    else if (character === ')' && (quote === '' || closed)) return i;
  }
  throw new JsonPathError('unterminated filter');
}

function parseSlice(text: string): Node {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [start, end, step] = [match[1], match[2]?.slice(1), match[3]?.slice(1)].map(asIndex);
  return {
    type: 'array',
    single: match[2] === undefined,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(step !== undefined && { step }),
  };
}

function asIndex(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === '-') throw new JsonPathError(`array index ${text} is not a number`);
  return Number(text);
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};
const unquote = (text: string): string => text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${character}'`;
