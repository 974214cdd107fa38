/** Paths such as `.spec.a` or `.spec['b']` that a definition uses to point at its own fields. */
import { itemsOf } from './types.ts';
import type { SchemaProps } from './types.ts';

export type FoundField =
  | {
      readonly path: string;
      readonly root: string;
      readonly schema: SchemaProps | undefined;
      readonly error?: undefined;
    }
  | { readonly error: string };

const notAField: FoundField = { error: 'does not refer to a valid field' };

export function findField(text: string, root: SchemaProps, options: { readonly arrays: boolean }): FoundField {
  const tokens = tokenize(text);
  const steps: string[] = [];
  let schema: SchemaProps | undefined = root;
  for (let i = 0; i < tokens.length;) {
    const opening = tokens[i];
    const token: string | undefined = tokens[i + 1];
    if (opening !== '.' && opening !== '[') return { error: `expected [ or . but got: ${opening ?? ''}` };
    if (opening === '[' && !options.arrays) return { error: 'array notation is not allowed' };
    if (token === undefined) return { error: 'unexpected end of JSON path' };
    const name: string | undefined = opening === '.' ? token : unquote(token);
    if (name === undefined) return { error: `expected single quoted string but got ${token}` };
    const next = step(schema, name);
    if (next === undefined) return notAField;
    steps.push(name);
    schema = next.schema;
    i += 2;
    if (opening !== '[') continue;
    const closing = tokens[i];
    if (closing === undefined) return { error: 'unexpected end of JSON path' };
    if (closing !== ']') return { error: `expected ] but got ${closing}` };
    i += 1;
  }
  return { path: steps.join('.'), root: steps[0] ?? '', schema };
}

function step(schema: SchemaProps | undefined, name: string): { schema: SchemaProps | undefined } | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? { schema: properties[name] } : undefined;
  }
  if (additionalProperties === undefined) return undefined;
  return { schema: typeof additionalProperties === 'object' ? additionalProperties : undefined };
}

const tokenize = (text: string): string[] => text.match(/'(?:[^'\\]|\\.)*'?|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? [];

function unquote(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  return token.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** Every schema in a schema, itself first. */
export function* walk(schema: SchemaProps): Generator<SchemaProps> {
  yield schema;
  const items = itemsOf(schema);
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, Array.isArray(schema.items) ? schema.items : undefined];
  const singles = [items, ...lists.flatMap((list) => list ?? []), schema.not];
  for (const sub of singles) if (sub !== undefined) yield* walk(sub);
  for (const sub of Object.values(schema.properties ?? {})) yield* walk(sub);
  if (typeof schema.additionalProperties === 'object') yield* walk(schema.additionalProperties);
}
