/** One run of the conformance suite, or of a part of it, in a copy of the repository. */
import { SEEDS, TOPICS } from '../conformance/selection.ts';
import { startChild } from '../runner/child.ts';
import { resultIn } from './reporter.ts';

export interface Part {
  readonly topics: readonly string[];
  readonly seeds: number;
}

export interface SuiteRun {
  readonly passed: ReadonlySet<string>;
  /** In the order in which they failed. */
  readonly failed: readonly string[];
  /** It took too long and was ended. */
  readonly timedOut: boolean;
  readonly seconds: number;
}

/** A defect may make many cases wait for what never comes, some seconds each. */
const deadline = 180_000;

export async function runSuite(copy: string, { topics, seeds }: Part): Promise<SuiteRun> {
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const passed = new Set<string>();
  const failed: string[] = [];
  const reporter = ['--test-reporter=./test/mutate/reporter.ts', '--test-reporter-destination=stdout'];
  const child = startChild(process.execPath, [...reporter, 'test/conformance/sandbox.test.ts'], {
    cwd: copy,
    env: { ...env, [TOPICS]: topics.join(','), [SEEDS]: String(seeds) },
    limitMs: deadline,
    onLine(line) {
      const result = resultIn(line);
      if (result?.passed === true) passed.add(result.name);
      if (result?.passed === false) failed.push(result.name);
    },
    onError: (text) => process.stderr.write(text),
  });
  const { timedOut } = await child.ended;
  return { passed, failed, timedOut, seconds: (Date.now() - began) / 1000 };
}
