/** Moves schemas with a title out of the operations of an OpenAPI document, to `components.schemas`. */
import { isDeepStrictEqual } from 'node:util';
import { examples } from './examples.ts';

type Json = unknown;
type JsonObject = { readonly [key: string]: Json };

/** `withNamedSchemas` defines each titled schema once, under its title, and refers to it wherever it was written out. */
export function withNamedSchemas<T extends object>(document: T): T {
  const named = new Map<string, JsonObject>();
  const hoisted = hoist(document, named) as T & { readonly components?: { readonly schemas?: JsonObject } };
  const schemas = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, withExample(name, schema)]);
  return { ...hoisted, components: { ...hoisted.components, schemas: Object.fromEntries(schemas) as JsonObject } };
}

function withExample(name: string, schema: JsonObject): JsonObject {
  return Object.hasOwn(examples, name) ? { ...schema, examples: [examples[name]] } : schema;
}

function hoist(value: Json, named: Map<string, JsonObject>): Json {
  if (Array.isArray(value)) return value.map((one) => hoist(one, named));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hoist(one, named)]));
  return isSchemaWithTitle(inner) ? reference(inner, named) : inner;
}

interface TitledSchema extends JsonObject {
  readonly title: string;
  readonly type: string | readonly string[];
}

/** The document's `info` has a title too, but no type. */
function isSchemaWithTitle(value: JsonObject): value is TitledSchema {
  return typeof value['title'] === 'string' && value['type'] !== undefined;
}

function reference({ title, ...schema }: TitledSchema, named: Map<string, JsonObject>): JsonObject {
  const $ref = `#/components/schemas/${title}`;
  const types = [schema['type']].flat() as readonly string[];
  if (!types.includes('null')) {
    define(title, schema, named);
    return { $ref };
  }
  // `orNull` keeps the schema in one object, for the serializer; its description is about the field.
  const { description, ...rest } = schema;
  const [type] = types.filter((one) => one !== 'null');
  if (!named.has(title)) define(title, { ...rest, type }, named);
  return { ...(description === undefined ? {} : { description }), anyOf: [{ $ref }, { type: 'null' }] };
}

function define(title: string, schema: JsonObject, named: Map<string, JsonObject>): void {
  const before = named.get(title);
  if (before !== undefined && !isDeepStrictEqual(before, schema))
    throw new Error(`two different schemas are named ${title}: give each a name of its own`);
  named.set(title, schema);
}
