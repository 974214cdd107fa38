/** What a test process tells the runner, as lines of JSON: the reporter that it loads. */
import { inspect } from 'node:util';
import { join, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

type Failed = Extract<TestEvent, { type: 'test:fail' }>['data'];
type Ended = Failed | Extract<TestEvent, { type: 'test:pass' }>['data'];

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

export const none: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };

export type Told =
  | { readonly kind: 'began' | 'ended'; readonly name: string }
  | ({ readonly kind: 'failure' } & Failure)
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'counts'; readonly counts: Counts }
  /** A file of a group has ended. */
  | { readonly kind: 'file'; readonly file: string; readonly counts: Counts; readonly seconds: number };

/** True where the tests at the top are the files of a group. */
const isGroup = process.argv[1] === join(import.meta.dirname, 'group.ts');

// oxlint-disable-next-line import/no-default-export -- the form in which node loads a reporter
export default async function* lines(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  const tally = new Tally();
  for await (const event of source) {
    const both = [toldBy(event), isGroup ? tally.fileEnded(event) : undefined];
    for (const told of both) if (told !== undefined) yield `${JSON.stringify(told)}\n`;
  }
}

/** Counts the tests of the file that runs, as node counts those of a run. */
class Tally {
  #counts: { -readonly [name in keyof Counts]: number } = { ...none };

  /** What is told when `event` ends a file; a file fails by itself only where it cannot be loaded or has no end. */
  fileEnded(event: TestEvent): Told | undefined {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined;
    const { data } = event;
    const isFailure = event.type === 'test:fail';
    if (data.nesting > 0) {
      this.#count(data, isFailure);
      return undefined;
    }
    if (isFailure && !isOnlyParent(event.data)) {
      this.#counts.tests++;
      this.#counts.failed++;
    }
    const counts = this.#counts;
    this.#counts = { ...none };
    return { kind: 'file', file: data.name, counts, seconds: data.details.duration_ms / 1000 };
  }

  #count({ details, skip, todo }: Ended, isFailure: boolean): void {
    const counts = this.#counts;
    if (details.type === 'suite') {
      counts.suites++;
      return;
    }
    counts.tests++;
    if (skip !== undefined && skip !== false) counts.skipped++;
    else if (todo !== undefined && todo !== false) counts.todo++;
    else if (!isFailure) counts.passed++;
    else if (failureType(details) === 'cancelledByParent') counts.cancelled++;
    else counts.failed++;
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
      if (event.data.nesting > (isGroup ? 1 : 0) || isTotal.test(event.data.message)) return undefined;
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
function isOnlyParent({ details }: Failed): boolean {
  return failureType(details) === 'subtestsFailed';
}

function failureType(details: Ended['details']): string | undefined {
  return 'error' in details ? (details.error as { failureType?: string }).failureType : undefined;
}

function failure({ name, file, line, details: { error }, todo }: Failed): Failure {
  const place = file === undefined ? '' : `${relative(process.cwd(), file)}:${line ?? 0}`;
  const text = inspect(error.cause ?? error, { colors: false });
  return { name, place, text, isTodo: todo !== undefined && todo !== false };
}
