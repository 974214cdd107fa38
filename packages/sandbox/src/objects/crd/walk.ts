import { itemsOf } from './types.ts';
import type { SchemaProps } from './types.ts';

/** `walk` yields every schema in a schema, the schema itself first. */
export function* walk(schema: SchemaProps): Generator<SchemaProps> {
  yield schema;
  const items = itemsOf(schema);
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, Array.isArray(schema.items) ? schema.items : undefined];
  const singles = [items, ...lists.flatMap((list) => list ?? []), schema.not];
  for (const sub of singles) if (sub !== undefined) yield* walk(sub);
  for (const sub of Object.values(schema.properties ?? {})) yield* walk(sub);
  if (typeof schema.additionalProperties === 'object') yield* walk(schema.additionalProperties);
}
