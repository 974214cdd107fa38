/** The tests of a check, in a copy of the repository. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Check } from './check.ts';
import type { TestResult } from './reporter.ts';
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
  const child = spawn(process.execPath, argumentsFor(check, limits), {
    cwd: copy,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = (): void => {
    // The whole group: the runner has a process for each file, and that one may have others.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const passed = new Set<string>();
  const failed: string[] = [];
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, limits.allMs);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = resultOf(line);
    if (result === undefined || check.counts?.(result.name) === false) return;
    if (result.passed) passed.add(result.name);
    else failed.push(result.name);
    if (enough(passed, failed)) end();
  });
  await new Promise<void>((done, refuse) => child.once('close', () => done()).once('error', refuse));
  clearTimeout(timer);
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

function resultOf(line: string): TestResult | undefined {
  return line.startsWith('{') ? (JSON.parse(line) as TestResult) : undefined;
}
