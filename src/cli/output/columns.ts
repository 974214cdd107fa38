import { plain } from './plain.ts';

/** Words in columns, for a terminal. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const clean = rows.map((row) => row.map(plain));
  return inColumns(clean, widthsOf(clean), indent);
}

export function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
}

/** With widths that stand already: what is longer moves the rest of its own row. */
export function inColumns(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  indent = '',
): readonly string[] {
  return rows.map((row) => `${indent}${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
}
