import { plain } from './plain.ts';

/** Formats cells in columns, for a terminal. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const clean = rows.map((row) => row.map(plain));
  return inColumns(clean, widthsOf(clean), indent);
}

export function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
}

const characters = new Intl.Segmenter();
/** Characters that a terminal shows in double width: East Asian scripts, their full-width forms, and emoji. */
const wide =
  /^(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** `widthOf` returns the width in terminal columns. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...characters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
}

/** `inColumns` uses fixed widths: a longer cell shifts the rest of its own row. */
export function inColumns(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  indent = '',
): readonly string[] {
  return rows.map((row) => `${indent}${row.map((cell, at) => padded(cell, widths[at] ?? 0)).join('  ')}`.trimEnd());
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}
