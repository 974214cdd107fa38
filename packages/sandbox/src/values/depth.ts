/**
 * The maximum depth of JSON. Go's decoder allows ten thousand levels; the functions here are recursive and would
 * overflow the stack before that. No real object comes near this limit.
 */
import type { Json } from './json.ts';

export const MAX_DEPTH = 1000;

/** Not recursive, and terminates also for the cycles that YAML aliases can create. */
export function tooDeep(value: Json | undefined): boolean {
  const rest: { value: object; depth: number }[] = [];
  const visit = (item: Json | undefined, depth: number): void => {
    if (typeof item === 'object' && item !== null) rest.push({ value: item, depth });
  };
  visit(value, 1);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.depth > MAX_DEPTH) return true;
    for (const item of Object.values(next.value) as Json[]) visit(item, next.depth + 1);
  }
  return false;
}

/** JSON.parse with the depth limit; throws a SyntaxError also when the limit is exceeded. */
export function parseShallow(text: string): Json {
  const value = JSON.parse(text) as Json;
  // Every level takes two characters, so most texts need no check.
  if (text.length > 2 * MAX_DEPTH && tooDeep(value)) throw new SyntaxError('exceeded max depth');
  return value;
}
