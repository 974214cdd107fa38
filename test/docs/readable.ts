/** What no reader of a page should meet while typing its commands. */
import assert from 'node:assert/strict';
import { withoutQuotations } from '../prose/quotations.ts';
import { hitsIn } from '../prose/word-list.ts';

const refused: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['a stack trace', /^\s+at .+:\d+:\d+\)?$/m],
  ['a value that was not turned into text', /\[object \w+\]|\bundefined\b|\bNaN\b/],
];

/** `unreadable` returns what no user should meet in the output of commands; empty if there is nothing of it. */
export function unreadable(output: string): readonly string[] {
  const problems = refused.flatMap(([rule, pattern]) => {
    const [found] = pattern.exec(output) ?? [];
    return found === undefined ? [] : [`${rule}: ${found.trim()}`];
  });
  const words = hitsIn(withoutQuotations(output)).map(({ offset, word }) => `"${word}" in: ${lineAt(output, offset)}`);
  return [...problems, ...words];
}

export function assertReadable(output: string, place: string): void {
  const problems = unreadable(output);
  assert.ok(problems.length === 0, `${place}: the commands print what the style guide refuses\n${problems.join('\n')}`);
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset) + 1, end === -1 ? undefined : end).trim();
}
