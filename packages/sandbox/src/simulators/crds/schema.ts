/**
 * Builders for the schemas of definitions. With `fields`, unknown fields are rejected or dropped, as the real
 * definition does. `open` is for objects that we describe in part: it preserves unknown fields.
 */
import type { Schema } from '../../objects/schema/schema.ts';

export type Properties = Readonly<Record<string, Schema>>;

/** Further keywords of a schema: `required`, `nullable`, list types, limits. */
export type Details = Omit<Schema, 'type' | 'description' | 'properties' | 'items'>;

export const text = (description: string, details: Details = {}): Schema => ({
  type: 'string',
  description,
  ...details,
});

/** `word` is an enumeration that the server enforces. */
export const word = (description: string, values: readonly string[], details: Details = {}): Schema =>
  text(description, { enum: [...values], ...details });

export const flag = (description: string, details: Details = {}): Schema => ({
  type: 'boolean',
  description,
  ...details,
});

export const integer = (description: string, details: Details = {}): Schema => ({
  type: 'integer',
  description,
  ...details,
});

export const int32 = (description: string, details: Details = {}): Schema =>
  integer(description, { format: 'int32', ...details });

export const int64 = (description: string, details: Details = {}): Schema =>
  integer(description, { format: 'int64', ...details });

export const time = (description: string, details: Details = {}): Schema =>
  text(description, { format: 'date-time', ...details });

const INT_OR_STRING: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** `quantity` is an amount such as `500m`, `2Gi` or `4`. */
export const quantity = (description: string): Schema => ({ ...INT_OR_STRING, pattern: QUANTITY, description });

export const intOrText = (description: string): Schema => ({ ...INT_OR_STRING, description });

export const list = (description: string, items: Schema, details: Details = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...details,
});

/** A list that server-side apply replaces as a whole. */
export const atomicList = (description: string, items: Schema, details: Details = {}): Schema =>
  list(description, items, { 'x-kubernetes-list-type': 'atomic', ...details });

export const setList = (description: string): Schema =>
  list(description, { type: 'string' }, { 'x-kubernetes-list-type': 'set' });

/** A list whose entries are merged by the values of `keys`. */
export const keyedList = (description: string, keys: readonly string[], items: Schema, details: Details = {}): Schema =>
  list(description, items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys], ...details });

export const texts = (description: string, details: Details = {}): Schema =>
  list(description, { type: 'string' }, details);

export const atomicTexts = (description: string): Schema => atomicList(description, { type: 'string' });

export const mapOf = (description: string, values: Schema): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
});

export const textMap = (description: string): Schema => mapOf(description, { type: 'string' });

export const quantityMap = (description: string): Schema => mapOf(description, { ...INT_OR_STRING, pattern: QUANTITY });

export const fields = (description: string, properties: Properties, details: Details = {}): Schema => ({
  type: 'object',
  description,
  properties: { ...properties },
  ...details,
});

export const open = (description: string, properties: Properties = {}, details: Details = {}): Schema => ({
  ...fields(description, properties, details),
  'x-kubernetes-preserve-unknown-fields': true,
});

/** `presence` is an object whose presence is the value: `masquerade: {}`. */
export const presence = (description: string, details: Details = {}): Schema => ({
  type: 'object',
  description,
  ...details,
});
