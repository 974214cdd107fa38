/** What a run prints: one line a file with its failures in full before it, and the totals at the end. */
import type { Counts, Failure } from './reporter.ts';
import type { FileResult } from './process.ts';

export function fileText({ file, counts, failures, notes, stderr, seconds, passed }: FileResult): string {
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  const line = `${passed ? '✔' : '✖'} ${file} (${counts.tests} tests${skipped}, ${seconds.toFixed(1)} s)\n`;
  const ended = stderr === '' || stderr.endsWith('\n') ? stderr : `${stderr}\n`;
  return [ended, ...failures.map(failureText), ...notes.map((note) => `ℹ ${note}\n`), line].join('');
}

function failureText({ name, place, text, isTodo }: Failure): string {
  return `${isTodo ? '⚠ todo' : '✖'} ${name}\n  at ${place}\n${text.replaceAll(/^/gm, '  ')}\n`;
}

/** In node's own words. */
const totals = {
  tests: 'tests',
  suites: 'suites',
  pass: 'passed',
  fail: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  todo: 'todo',
} as const;

export function totalsText(results: readonly FileResult[], seconds: number): string {
  const sum = (name: keyof Counts): number => results.reduce((total, { counts }) => total + counts[name], 0);
  const lines = Object.entries(totals).map(([word, name]) => `ℹ ${word} ${sum(name)}\n`);
  return [...lines, `ℹ duration_ms ${(seconds * 1000).toFixed(0)}\n`].join('');
}

const longest = 200;

/** One line for each, so that the end of a log that was cut says what failed. */
export function failedLines(results: readonly FileResult[]): readonly string[] {
  return results.flatMap(({ file, failures }) =>
    failures.filter(({ isTodo }) => !isTodo).map((failure) => failedLine(file, failure)),
  );
}

function failedLine(file: string, { name, text }: Failure): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const line = `failed: ${file}${name === file ? '' : `: ${name}`}: ${first.trim()}`;
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
