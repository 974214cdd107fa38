import { plain } from './plain.ts';

/** Words in columns, for a terminal. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const clean = rows.map((row) => row.map(plain));
  return inColumns(clean, widthsOf(clean), indent);
}

export function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
}

const characters = new Intl.Segmenter();
/** What a terminal shows twice as wide: East Asian letters, their full-width forms, and pictures. */
const wide =
  /^(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** In columns of a terminal. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...characters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
}

/** With widths that stand already: what is longer moves the rest of its own row. */
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
