/**
 * Simplifies a CRD's schema for OpenAPI v2, which has neither nullable nor anyOf, and for clients that support even
 * less.
 */
import type { Schema } from '../../objects/schema/schema.ts';

const unknownToV2 = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default'] as const;

export function simplifyForV2(schema: Schema): Schema {
  const simple: Schema = { ...schema };
  for (const key of unknownToV2) delete simple[key];
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const nullable = schema.nullable === true;
  if (open || nullable) {
    // kubectl treats listed properties as the only ones, and cannot validate a value with properties but without a
    // type.
    delete simple.items;
    delete simple.properties;
  }
  if (nullable || (open && simple.type === 'object')) delete simple.type;
  if (simple.items === undefined && simple.type === 'array') delete simple.type;
  return simplifyChildren(simple, schema);
}

function simplifyChildren(simple: Schema, schema: Schema): Schema {
  if (simple.items !== undefined) simple.items = simplifyForV2(simple.items);
  if (simple.properties !== undefined) {
    const entries = Object.entries(simple.properties);
    simple.properties = Object.fromEntries(entries.map(([name, property]) => [name, simplifyForV2(property)]));
    const required = schema.required?.filter((name) => schema.properties?.[name]?.nullable !== true) ?? [];
    if (required.length === 0) delete simple.required;
    else simple.required = required;
  }
  const values = schema.additionalProperties;
  if (typeof values === 'object') {
    if (values.nullable === true) delete simple.required;
    simple.additionalProperties = simplifyForV2(values);
  }
  return simple;
}
