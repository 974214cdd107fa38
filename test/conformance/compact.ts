/** Readable JSON: a value that fits on a line is printed on one line. */
import type { Json } from '../../packages/sandbox/src/values/json.ts';

const width = 160;

export function compactJson(value: Json, indent = ''): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= width) return flat;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [`${JSON.stringify(key)}: ${compactJson(item, inner)}`],
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
