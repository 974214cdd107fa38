/** Words in columns, for a terminal: what would steer it is taken out. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const clean = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, ' ')));
  const widths = (clean[0] ?? []).map((_, at) => Math.max(...clean.map((row) => (row[at] ?? '').length)));
  return clean.map((row) => `${indent}${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
}
