/** Where two JSON values differ, in words that lead to the place. */
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import type { Json } from '../../packages/sandbox/src/values/json.ts';

export function differences(expected: Json | undefined, actual: Json | undefined, path = '', limit = 20): string[] {
  const found: string[] = [];
  compare(expected, actual, path, found, limit);
  return found;
}

function compare(
  expected: Json | undefined,
  actual: Json | undefined,
  path: string,
  found: string[],
  limit: number,
): void {
  if (found.length >= limit || expected === actual) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let i = 0; i < Math.max(expected.length, actual.length); i++)
      compare(expected[i], actual[i], `${path}[${i}]`, found, limit);
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(expected[key], actual[key], `${path}.${key}`, found, limit);
    }
  } else {
    found.push(`${path}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}
