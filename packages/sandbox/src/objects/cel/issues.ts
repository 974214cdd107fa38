/** Formats the compiler's errors as cel-go does: position, text, source line and a marker. */

import { codePoints } from './syntax/text.ts';

export interface Issue {
  /** Index into the source, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

export function formatIssues(source: string, issues: readonly Issue[]): string {
  return [...issues]
    .sort((a, b) => a.at - b.at)
    .map((issue) => formatIssue(source, issue))
    .join('\n');
}

function formatIssue(source: string, issue: Issue): string {
  const before = source.slice(0, issue.at);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  const end = source.indexOf('\n', issue.at);
  const snippet = source.slice(start, end === -1 ? undefined : end).replaceAll('\t', ' ');
  // Columns count code points; a multibyte character gets a wide dot, so that the marker is aligned.
  const columns = codePoints(source.slice(start, issue.at));
  const marked = codePoints(snippet)[columns.length] ?? '';
  const dots = columns.map((character) => (isAscii(character) ? '.' : '．')).join('');
  const mark = isAscii(marked) ? '^' : '＾';
  return `ERROR: <input>:${line}:${columns.length + 1}: ${issue.message}\n | ${snippet}\n | ${dots}${mark}`;
}

const isAscii = (character: string): boolean => (character.codePointAt(0) ?? 0) < 0x80;
