/** The CEL type of a schema. Expressions cannot access data without a type, such as preserved unknown fields. */
import type { Schema } from '../schema/schema.ts';
import { escapeName } from './syntax/escape.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  listOf,
  mapOf,
  struct,
} from './types/types.ts';

const TEXT: Schema = { type: 'string' };
const IDENTITY: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };

const withMeta = new WeakMap<Schema, Schema>();

/** The root of a resource has kind, apiVersion and the name, even if the schema does not list them. */
export function withTypeAndMeta(schema: Schema): Schema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const complete =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  if (complete) return schema;
  const known = withMeta.get(schema);
  if (known !== undefined) return known;
  const completed = {
    ...schema,
    properties: { ...schema.properties, kind: TEXT, apiVersion: TEXT, metadata: IDENTITY },
  };
  withMeta.set(schema, completed);
  return completed;
}

/** `valuesOf` is the schema of the values of a map, if there is one. */
export const valuesOf = (schema: Schema): Schema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

export function schemaType(schema: Schema, isRoot: boolean, name: string): Type | undefined {
  // Whether it is an integer or a string is known only at run time.
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  const described = isRoot ? withTypeAndMeta(schema) : schema;
  switch (described.type) {
    case 'array':
      return described.items === undefined ? undefined : wrapped(described.items, `${name}.@idx`, listOf);
    case 'object': {
      const values = valuesOf(described);
      if (values === undefined) return objectType(described, name);
      return wrapped(values, `${name}.@elem`, (type) => mapOf(STRING, type));
    }
    case 'string':
      return FORMATTED.get(described.format ?? '') ?? STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

/** `isTyped` returns whether a schema has a CEL type. */
export function isTyped(schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  if (schema.type === 'array') return schema.items !== undefined && isTyped(schema.items);
  const values = schema.type === 'object' ? valuesOf(schema) : undefined;
  if (values !== undefined) return isTyped(values);
  return schema.type !== undefined && TYPED.has(schema.type);
}

const TYPED: ReadonlySet<string> = new Set(['object', 'string', 'boolean', 'number', 'integer']);

const FORMATTED: ReadonlyMap<string, Type> = new Map([
  ['byte', BYTES],
  ['duration', DURATION],
  ['date', TIMESTAMP],
  ['date-time', TIMESTAMP],
]);

const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

function wrapped(inner: Schema, name: string, wrap: (type: Type) => Type): Type | undefined {
  const type = schemaType(inner, isEmbedded(inner), name);
  return type === undefined ? undefined : wrap(type);
}

function objectType(schema: Schema, name: string): Type {
  const fields = new Map<string, Type>();
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(property);
    if (escaped === undefined) continue;
    const type = schemaType(inner, isEmbedded(inner), `${name}.${escaped}`);
    if (type !== undefined) fields.set(escaped, type);
  }
  return struct(name, fields);
}
