/** A reporter that writes the result of each test as a line of JSON, without suites and parents, which only sum up. */
import type { TestEvent } from 'node:test/reporters';

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
}

/** `resultIn` returns the result that a line holds. Tests may write lines, too, and the last line of a process that was killed may be cut. */
export function resultIn(line: string): TestResult | undefined {
  return line.startsWith('{"name":') && line.endsWith('}') ? (JSON.parse(line) as TestResult) : undefined;
}

// oxlint-disable-next-line import/no-default-export -- Node loads a reporter in this form
export default async function* results(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details, skip } = event.data;
    if (details.type === 'suite' || isOnlyParent(event) || skip !== undefined) continue;
    const result: TestResult = { name, passed: event.type === 'test:pass' };
    yield `${JSON.stringify(result)}\n`;
  }
}

function isOnlyParent(event: TestEvent): boolean {
  if (event.type !== 'test:fail') return false;
  return (event.data.details.error as { failureType?: string }).failureType === 'subtestsFailed';
}
