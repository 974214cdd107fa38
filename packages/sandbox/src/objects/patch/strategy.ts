/** The patch strategy of a kind's fields, from its schema instead of the Go struct's tags. */
import type { Schema } from '../schema/schema.ts';
import { unexpected } from './rejection.ts';

export interface FieldStrategy {
  readonly strategy: string;
  readonly mergeKey: string;
  /** The schema of the field's value, or of a list's items. */
  readonly schema: Schema;
}

export function objectStrategy(parent: Schema, field: string): FieldStrategy {
  const schema = fieldSchema(parent, field);
  return { ...patchKeys(schema), schema: resolved(schema) };
}

export function listStrategy(parent: Schema, field: string): FieldStrategy {
  const schema = fieldSchema(parent, field);
  const items = resolved(schema).items;
  if (items === undefined) throw unexpected('expected slice or array type, but got: struct');
  return { ...patchKeys(schema), schema: resolved(items) };
}

function fieldSchema(parent: Schema, field: string): Schema {
  const { properties = {} } = parent;
  const schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (schema !== undefined) return schema;
  if (parent.properties === undefined && parent['x-go-struct'] === undefined) {
    throw unexpected('merging an object in json but data type is not struct, instead is: map');
  }
  throw unexpected(
    `unable to find api field in struct ${parent['x-go-struct'] ?? ''} for the json field ${JSON.stringify(field)}`,
  );
}

/** A reference with siblings may be written as `allOf` with one item. */
const resolved = (schema: Schema): Schema =>
  schema.properties === undefined && schema.items === undefined ? (schema.allOf?.[0] ?? schema) : schema;

/** `retainKeys` tells clients what to send; for the server only the other strategy of the pair matters. */
function patchKeys(schema: Schema): { strategy: string; mergeKey: string } {
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',');
  return {
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '',
  };
}
