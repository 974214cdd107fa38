/** The tests of a check, in a copy of the repository. */
import { startChild } from '../runner/child.ts';
import type { Check } from './check.ts';
import { resultIn } from './reporter.ts';
import type { SuiteRun } from './suite.ts';

/** A behaviour that is missing may make a test wait for what never comes: such a test fails, and if even that does not end it, all are ended. */
export interface RunLimits {
  readonly testMs: number;
  readonly allMs: number;
}

export interface RunOptions {
  readonly limits: RunLimits;
  /** Beside that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether what has come so far is enough; the rest is ended then. */
  readonly enough?: (passed: ReadonlySet<string>, failed: readonly string[]) => boolean;
}

export async function runCheck(copy: string, check: Check, options: RunOptions): Promise<SuiteRun> {
  const { limits, env, enough = () => false } = options;
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const passed = new Set<string>();
  const failed: string[] = [];
  const child = startChild(process.execPath, argumentsFor(check, limits), {
    cwd: copy,
    env: { ...own, ...env },
    limitMs: limits.allMs,
    onLine(line) {
      const result = resultIn(line);
      if (result === undefined || check.counts?.(result.name) === false) return;
      if (result.passed) passed.add(result.name);
      else failed.push(result.name);
      if (enough(passed, failed)) child.stop();
    },
  });
  const { timedOut } = await child.ended;
  return { passed, failed, timedOut, seconds: (Date.now() - began) / 1000 };
}

function argumentsFor({ files, patterns = [] }: Check, { testMs }: RunLimits): readonly string[] {
  return [
    '--test',
    '--test-reporter=./test/mutate/reporter.ts',
    '--test-reporter-destination=stdout',
    `--test-timeout=${testMs}`,
    ...patterns.map((pattern) => `--test-name-pattern=${pattern}`),
    ...files,
  ];
}
