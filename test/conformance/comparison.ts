import assert from 'node:assert/strict';
import { differences } from './difference.ts';
import type { Transcript } from './transcript.ts';

/** Fails with the first differences, and with the requests that they belong to. */
export function assertSame(
  expected: Transcript | undefined,
  actual: { readonly transcript?: Transcript; readonly error?: Error } | undefined,
): void {
  assert.ifError(actual?.error);
  const found = differences(expected, actual?.transcript, '', 10);
  if (found.length > 0) assert.fail(`\n${found.map((line) => line + place(expected, line)).join('\n')}`);
}

function place(transcript: Transcript | undefined, line: string): string {
  const entry = transcript?.[Number(/^\[(\d+)\]/.exec(line)?.[1])];
  if (entry === undefined) return '';
  const sent = entry['sent'] === undefined ? '' : ` ${JSON.stringify(entry['sent'])}`;
  return `\n    in ${String(entry['request'] ?? entry['watch'] ?? entry['note'])}${sent}`;
}
