/** The maximum size of data with a schema: the worst case for estimating the cost of a rule. */
import type { Schema } from '../../schema/schema.ts';
import { unescapeName } from '../syntax/escape.ts';
import { isTyped, valuesOf, withTypeAndMeta } from '../schema-types.ts';

/** `MAX_REQUEST_BYTES` is the maximum size of a request, which no object can exceed. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const MAX_TEXT = MAX_REQUEST_BYTES - 2;

const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** `minBytes` returns the minimum number of bytes of a value in JSON. */
export function minBytes(schema: Schema, isRoot: boolean): number {
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  const described = isRoot ? withTypeAndMeta(schema) : schema;
  switch (described.type) {
    case 'object':
      return valuesOf(described) === undefined ? minObjectBytes(described) : 2;
    case 'array':
      return 2;
    case 'string':
      return MIN_FORMATTED.get(described.format ?? '') ?? 2;
    case 'boolean':
      return 4;
    default:
      return 1;
  }
}

const MIN_FORMATTED: ReadonlyMap<string, number> = new Map([
  ['duration', 3],
  ['date', 12],
  ['date-time', 21],
]);

/** Braces, and the required properties that have no default. */
function minObjectBytes(schema: Schema): number {
  let bytes = 2;
  for (const name of new Set(schema.required)) {
    const property = schema.properties?.[name];
    if (property === undefined || property.default !== undefined || !isTyped(property)) continue;
    bytes += Buffer.byteLength(name) + minBytes(property, isEmbedded(property)) + 4;
  }
  return bytes;
}

/** The maximum number of characters, items or entries; 0 for types without a size. */
function maxElements(schema: Schema): number {
  if (schema['x-kubernetes-int-or-string'] === true) return textLimit(schema) ?? MAX_TEXT;
  switch (schema.type) {
    case 'array': {
      const item = schema.items === undefined ? 0 : minBytes(schema.items, isEmbedded(schema.items));
      return positive(schema.maxItems) ?? Math.floor(MAX_TEXT / (item + 1));
    }
    case 'object': {
      const values = valuesOf(schema);
      if (values === undefined) return 0;
      return positive(schema.maxProperties) ?? Math.floor(MAX_TEXT / (minBytes(values, isEmbedded(values)) + 6));
    }
    case 'string':
      return maxCharacters(schema);
    default:
      return 0;
  }
}

const positive = (limit: number | undefined): number | undefined =>
  limit === undefined ? undefined : Math.max(0, limit);

/** A character has up to four bytes. */
const textLimit = ({ maxLength }: Schema): number | undefined =>
  maxLength === undefined ? undefined : Math.max(0, maxLength) * 4;

const MAX_FORMATTED: ReadonlyMap<string, number> = new Map([
  ['duration', 32],
  ['date', 12],
  ['date-time', 32],
]);

function maxCharacters(schema: Schema): number {
  if (schema.format === 'byte') return positive(schema.maxLength) ?? MAX_TEXT;
  const formatted = MAX_FORMATTED.get(schema.format ?? '');
  if (formatted !== undefined) return formatted;
  const longest = (schema.enum ?? []).map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return textLimit(schema) ?? (longest.length > 0 ? Math.max(...longest) : MAX_TEXT);
}

/** The size of the data at a path of the cost estimator; undefined when the schema does not have the path. */
export function sizeAt(schema: Schema, isRoot: boolean, path: readonly string[]): number | undefined {
  let at = isRoot ? withTypeAndMeta(schema) : schema;
  for (const step of path) {
    if (step === '@keys') return valuesOf(at) === undefined ? undefined : 0;
    const next = step === '@items' || step === '@values' ? (at.items ?? valuesOf(at)) : fieldOf(at, step);
    if (next === undefined || !isTyped(next)) return undefined;
    at = isEmbedded(next) ? withTypeAndMeta(next) : next;
  }
  return maxElements(at);
}

function fieldOf(schema: Schema, name: string): Schema | undefined {
  const property = unescapeName(name);
  return property === undefined || valuesOf(schema) !== undefined ? undefined : schema.properties?.[property];
}
