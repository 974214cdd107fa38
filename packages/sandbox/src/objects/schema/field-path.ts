/** Paths such as `.spec.a` or `.spec['b']` in a definition that refer to fields of its own schema. */

/** `Fields` holds the parts of a schema that a path can follow. */
export interface Fields {
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Fields };
  readonly additionalProperties?: Fields | boolean;
}

export type FoundField =
  | {
      /** In the format of field errors. */
      readonly path: string;
      /** The first step of the path. */
      readonly root: string;
      readonly schema: Fields | undefined;
      readonly error?: undefined;
    }
  | { readonly error: string };

const notAField = 'does not refer to a valid field';
const tooShort = 'unexpected end of JSON path';

/** Without `arrays`, only steps with a dot are allowed. */
export function findField(text: string, root: Fields, options: { readonly arrays: boolean }): FoundField {
  const tokens = tokenize(text);
  const steps: string[] = [];
  let schema: Fields | undefined = root;
  for (let i = 0; i < tokens.length;) {
    const opening = tokens[i];
    const token: string | undefined = tokens[i + 1];
    if (opening !== '.' && opening !== '[') return { error: `expected [ or . but got: ${opening ?? ''}` };
    if (opening === '[' && !options.arrays) return { error: 'array notation is not allowed' };
    if (token === undefined) return { error: tooShort };
    const name: Name = opening === '.' ? { text: token } : unquote(token);
    if (name.error !== undefined) return name;
    const next = follow(schema, name.text);
    if (next === undefined) return { error: notAField };
    steps.push(next.named && steps.length > 0 ? `.${next.step}` : next.step);
    schema = next.schema;
    i += 2;
    if (opening !== '[') continue;
    const closing = tokens[i];
    if (closing === undefined) return { error: tooShort };
    if (closing !== ']') return { error: `expected ] but got ${closing}` };
    i += 1;
  }
  return { path: steps.join(''), root: steps[0] ?? '', schema };
}

interface Step {
  readonly step: string;
  /** Whether it leads to a field, as opposed to an entry of a map. */
  readonly named: boolean;
  readonly schema: Fields | undefined;
}

function follow(schema: Fields | undefined, name: string): Step | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? { step: name, named: true, schema: properties[name] } : undefined;
  }
  if (additionalProperties === undefined) return undefined;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return { step: `[${name}]`, named: false, schema: values };
}

/** Delimiters, strings in single quotes (up to the end if unclosed), and the text between them. */
const tokenize = (text: string): string[] => text.match(/'.*?(?<!\\)'|'.*|[.[\]]|[^.[\]]+/gs) ?? [];

type Name = { readonly text: string; readonly error?: undefined } | { readonly error: string };

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

function unquote(token: string): Name {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { error: `expected single quoted string but got ${token}` };
  }
  let error: string | undefined;
  const text = token.slice(1, -1).replace(/\\(.)/gu, (whole, directive: string) => {
    const char = escapes.get(directive);
    if (char === undefined) error = `invalid string literal: invalid escape char ${whole}`;
    return char ?? '';
  });
  return error === undefined ? { text } : { error };
}
