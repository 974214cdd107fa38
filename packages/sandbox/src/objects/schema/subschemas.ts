/** Walks over the values that a schema describes, and over its subschemas. */
import { isObject } from '../../values/json.ts';
import type { Json } from '../../values/json.ts';
import type { Schema } from './schema.ts';

/** `subschemas` returns the schemas of fields, entries and items; alternatives describe the same value again and do not count. */
export function subschemas(schema: Schema): Schema[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...(properties === undefined ? [] : Object.values(properties)),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
}

/**
 * Whether a schema or one of its subschemas passes the test. The result is cached, because it is needed for every
 * object.
 */
export function somewhere(test: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const answers = new WeakMap<Schema, boolean>();
  const search = (schema: Schema, seen: Set<Schema>): boolean => {
    if (seen.has(schema)) return false;
    seen.add(schema);
    return test(schema) || subschemas(schema).some((sub) => search(sub, seen));
  };
  return (schema) => {
    let answer = answers.get(schema);
    if (answer === undefined) {
      answer = search(schema, new Set());
      answers.set(schema, answer);
    }
    return answer;
  };
}

export const childPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** `visitInside` visits the objects and lists directly inside a value, each with its schema and path. */
export function visitInside(
  schema: Schema,
  value: Json,
  path: string,
  visit: (schema: Schema, value: Json, path: string) => void,
): void {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return;
    for (const [i, item] of value.entries()) {
      if (typeof item === 'object' && item !== null) visit(items, item, `${path}[${i}]`);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object' || item === null) continue;
    if (properties !== undefined && Object.hasOwn(properties, key)) {
      const sub = properties[key];
      if (sub !== undefined) visit(sub, item, childPath(path, key));
    } else if (typeof additionalProperties === 'object') visit(additionalProperties, item, `${path}[${key}]`);
  }
}
