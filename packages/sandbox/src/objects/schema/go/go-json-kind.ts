import type { Json } from '../../../values/json.ts';

/** The name of a value's kind in the errors of Go's JSON decoder. */
export function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value;
}
