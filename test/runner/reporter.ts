/** One line a file, each failure in full when it happens, and node's own totals at the end. */
import { inspect } from 'node:util';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data'];

export async function* fileByFile(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of source) {
    const text = lines(event);
    if (text !== '') yield text;
  }
}

function lines(event: TestEvent): string {
  switch (event.type) {
    case 'test:fail':
      return isOnlyParent(event.data) ? '' : failure(event.data);
    case 'test:stderr':
      return event.data.message;
    case 'test:diagnostic':
      // Totals come as diagnostics of the whole run, at the end.
      return event.data.nesting === 0 ? `ℹ ${event.data.message}\n` : '';
    case 'test:summary':
      return event.data.file === undefined ? '' : fileLine(event.data.file, event.data);
    default:
      return '';
  }
}

/** A parent that failed because of its children adds nothing to what they said. */
function isOnlyParent(data: Failure): boolean {
  return (data.details.error as { failureType?: string }).failureType === 'subtestsFailed';
}

function failure(data: Failure): string {
  const place = data.file === undefined ? '' : `  at ${relative(process.cwd(), data.file)}:${data.line ?? 0}\n`;
  const { cause } = data.details.error;
  const text = inspect(cause ?? data.details.error, { colors: false });
  const todo = data.todo === undefined ? '✖' : '⚠ todo';
  return `${todo} ${data.name}\n${place}${text.replaceAll(/^/gm, '  ')}\n`;
}

function fileLine(file: string, { counts, duration_ms: took, success }: Summary): string {
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  const mark = success ? '✔' : '✖';
  return `${mark} ${relative(process.cwd(), file)} (${counts.tests} tests${skipped}, ${(took / 1000).toFixed(1)} s)\n`;
}
