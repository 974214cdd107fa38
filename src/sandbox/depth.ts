/**
 * How deep JSON may nest. Go's decoder stops at ten thousand levels; the walks over objects are recursive here and would
 * run out of stack before that, so the line is drawn where no real object comes near it.
 */
import type { Json } from './json.ts';

export const MAX_DEPTH = 1000;

/** Without recursion, and with an end also where YAML's aliases have made a circle. */
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

/** JSON.parse within the limit; throws a SyntaxError also for what nests too deep. */
export function parseShallow(text: string): Json {
  const value = JSON.parse(text) as Json;
  // Every level takes two characters, so that most texts need no look at all.
  if (text.length > 2 * MAX_DEPTH && tooDeep(value)) throw new SyntaxError('exceeded max depth');
  return value;
}
