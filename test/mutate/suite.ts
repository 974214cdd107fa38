/** One run of the conformance suite, or of a part of it, in a copy of the repository. */
import { spawn } from 'node:child_process';
import { SEEDS, TOPICS } from '../conformance/selection.ts';
import type { TestResult } from './reporter.ts';

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
  const child = spawn(
    process.execPath,
    [
      '--test-reporter=./test/mutate/reporter.ts',
      '--test-reporter-destination=stdout',
      'test/conformance/sandbox.test.ts',
    ],
    {
      cwd: copy,
      env: { ...env, [TOPICS]: topics.join(','), [SEEDS]: String(seeds) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL'); // the sandbox behind it ends with it
  }, deadline);
  await new Promise<void>((done, refuse) => child.once('close', () => done()).once('error', refuse));
  clearTimeout(timer);
  const results = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as TestResult] : []));
  return {
    passed: new Set(results.filter(({ passed }) => passed).map(({ name }) => name)),
    failed: results.filter(({ passed }) => !passed).map(({ name }) => name),
    timedOut,
    seconds: (Date.now() - began) / 1000,
  };
}
