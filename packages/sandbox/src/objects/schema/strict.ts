/** The findings of strict field validation in a request's text: duplicate and unknown fields. */
import { goQuote } from './go/go-text.ts';
import type { Schema } from './schema.ts';

/** The server stops collecting at this number. */
const limit = 100;

/** `duplicate field "spec.a"` for each duplicate field in an object's JSON, in order. */
export function duplicateFields(text: string): string[] {
  return new Scanner(text).run(undefined);
}

/** Duplicate and unknown fields in a built-in kind's JSON, in the order of the text, as the server reports them. */
export function strictFields(text: string, schema: Schema): string[] {
  return new Scanner(text).run(schema);
}

/** `strictError` is the error text for a request with `fieldValidation=Strict`. */
export const strictError = (complaints: readonly string[]): string => `strict decoding error: ${complaints.join(', ')}`;

/** `unknownField` is an unknown field of a custom resource; the server does not escape its path. */
export const unknownField = (path: string): string => `unknown field "${path}"`;

const yamlPrefix = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** `strictWarnings` converts the findings to warnings: those about YAML are one text with a line for each. */
export function strictWarnings(complaints: readonly string[]): string[] {
  return complaints.flatMap((text) =>
    yamlPrefix.test(text)
      ? text
          .replace(yamlPrefix, '')
          .split('\n')
          .map((line) => line.trim())
      : [text],
  );
}

/** Reads JSON that is known to be well-formed. */
class Scanner {
  private readonly text: string;
  private at = 0;
  private readonly found = new Set<string>();

  constructor(text: string) {
    this.text = text;
  }

  run(schema: Schema | undefined): string[] {
    this.value(schema === undefined ? untyped : typed(schema), '');
    return [...this.found].slice(0, limit);
  }

  private value(type: Type, path: string): void {
    this.space();
    const char = this.text[this.at];
    if (type.kind === 'opaque') this.skip();
    else if (char === '{') this.object(type, path);
    else if (char === '[') this.array(type, path);
    else this.skip();
  }

  private object(type: Type, path: string): void {
    const seen = new Set<string>();
    this.at += 1;
    for (this.space(); this.text[this.at] !== '}'; this.space()) {
      const key = this.string();
      const at = path === '' ? key : `${path}.${key}`;
      this.space();
      this.at += 1;
      const sub = type.field(key);
      if (sub === undefined) this.found.add(`unknown field ${goQuote(at)}`);
      else if (seen.has(key)) this.found.add(`duplicate field ${goQuote(at)}`);
      seen.add(key);
      this.value(sub ?? opaque, at);
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    this.at += 1;
  }

  private array(type: Type, path: string): void {
    this.at += 1;
    this.space();
    for (let i = 0; this.text[this.at] !== ']'; i += 1) {
      this.value(type.item(), `${path}[${i}]`);
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
      this.space();
    }
    this.at += 1;
  }

  private space(): void {
    for (let code = this.text.charCodeAt(this.at); code === 32 || (code >= 9 && code <= 13);) {
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
  }

  private string(): string {
    const start = this.at;
    const escaped = this.skipString();
    const raw = this.text.slice(start, this.at);
    return escaped ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  /** Skips a string; returns whether it contains a backslash. */
  private skipString(): boolean {
    let escaped = false;
    this.at += 1;
    while (this.text[this.at] !== '"') {
      const backslash = this.text[this.at] === '\\';
      escaped ||= backslash;
      this.at += backslash ? 2 : 1;
      if (this.at > this.text.length) throw new Error('strict field validation was given a text that is not JSON');
    }
    this.at += 1;
    return escaped;
  }

  private skip(): void {
    let depth = 0;
    do {
      const char = this.text[this.at];
      if (char === undefined) return;
      if (char === '"') {
        this.skipString();
        continue;
      }
      if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') {
        if (depth === 0) return;
        depth -= 1;
      } else if (char === ',' && depth === 0) return;
      this.at += 1;
    } while (this.at < this.text.length && (depth > 0 || !/[,\]}]/.test(this.text[this.at] ?? ',')));
  }
}

/** The type to which Go decodes a value of the text. */
interface Type {
  readonly kind: 'open' | 'opaque';
  /** The type of a field; undefined when the struct does not have it. */
  field(key: string): Type | undefined;
  item(): Type;
}

const untyped: Type = { kind: 'open', field: () => untyped, item: () => untyped };
/** Values with their own decoder, and unknown values: their content is not checked. */
const opaque: Type = { kind: 'opaque', field: () => opaque, item: () => opaque };

function typed(schema: Schema | undefined): Type {
  if (schema === undefined) return opaque;
  const { properties, additionalProperties, items } = schema;
  if (properties !== undefined) {
    return {
      kind: 'open',
      field: (key) => (Object.hasOwn(properties, key) ? typed(properties[key]) : undefined),
      item: () => opaque,
    };
  }
  if (typeof additionalProperties === 'object') {
    return { kind: 'open', field: () => typed(additionalProperties), item: () => opaque };
  }
  return items === undefined ? opaque : { kind: 'open', field: () => opaque, item: () => typed(items) };
}
