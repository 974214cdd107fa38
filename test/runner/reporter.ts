/** What a test process tells the runner, as lines of JSON: the reporter that it loads. */
import { inspect } from 'node:util';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

type Failed = Extract<TestEvent, { type: 'test:fail' }>['data'];

export interface Failure {
  readonly name: string;
  /** File and line. */
  readonly place: string;
  readonly text: string;
  readonly isTodo: boolean;
}

export interface Counts {
  readonly tests: number;
  readonly suites: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
}

export type Told =
  | { readonly kind: 'began' | 'ended'; readonly name: string }
  | ({ readonly kind: 'failure' } & Failure)
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'counts'; readonly counts: Counts };

// oxlint-disable-next-line import/no-default-export -- the form in which node loads a reporter
export default async function* lines(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of source) {
    const told = toldBy(event);
    if (told !== undefined) yield `${JSON.stringify(told)}\n`;
  }
}

function toldBy(event: TestEvent): Told | undefined {
  switch (event.type) {
    case 'test:dequeue':
      return { kind: 'began', name: event.data.name };
    case 'test:complete':
      return { kind: 'ended', name: event.data.name };
    case 'test:fail':
      return isOnlyParent(event.data) ? undefined : { kind: 'failure', ...failure(event.data) };
    case 'test:diagnostic':
      // Totals come as diagnostics, too, and as numbers with the summary.
      if (event.data.nesting > 0 || isTotal.test(event.data.message)) return undefined;
      return { kind: 'note', text: event.data.message };
    case 'test:summary':
      return { kind: 'counts', counts: counted(event.data.counts) };
    default:
      return undefined;
  }
}

/** Node's types do not know that it counts those that failed. */
function counted({ tests, suites, passed, cancelled, skipped, todo }: Omit<Counts, 'failed'>): Counts {
  const failed = tests - passed - cancelled - skipped - todo;
  return { tests, suites, passed, failed, cancelled, skipped, todo };
}

const isTotal = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** A parent that failed because of its children adds nothing to what they said. */
function isOnlyParent(data: Failed): boolean {
  return (data.details.error as { failureType?: string }).failureType === 'subtestsFailed';
}

function failure({ name, file, line, details: { error }, todo }: Failed): Failure {
  const place = file === undefined ? '' : `${relative(process.cwd(), file)}:${line ?? 0}`;
  const text = inspect(error.cause ?? error, { colors: false });
  return { name, place, text, isTodo: todo !== undefined && todo !== false };
}
