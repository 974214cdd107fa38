import type { Json } from '../json.ts';

/** How Go's JSON decoder names the kind of a value that it cannot put into its target. */
export function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? 'null' : typeof value;
}
