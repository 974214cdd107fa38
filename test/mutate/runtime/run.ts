/** The tests of one id, in a copy of the repository. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestResult } from '../reporter.ts';
import type { SuiteRun } from '../suite.ts';
import type { RuntimeDefect } from './defect.ts';

/** A behaviour that is missing may make a test wait for what never comes: such a test fails, and if even that does not end it, all are ended. */
const testTimeout = 10_000;
const deadline = 90_000;

/** Ends with the first failure that is `enough`. */
export async function runTests(
  copy: string,
  { id, tests }: Pick<RuntimeDefect, 'id' | 'tests'>,
  enough: (failed: string) => boolean = () => false,
): Promise<SuiteRun> {
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=./test/mutate/reporter.ts', '--test-reporter-destination=stdout'];
  const child = spawn(
    process.execPath,
    [...args, `--test-timeout=${testTimeout}`, `--test-name-pattern=/\\b${id}\\b/`, ...tests],
    { cwd: copy, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true },
  );
  const end = (): void => {
    // The whole group: the runner has a process for each file.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const passed = new Set<string>();
  const failed: string[] = [];
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, deadline);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = resultOf(line);
    if (result === undefined || !new RegExp(`\\b${id}\\b`).test(result.name)) return;
    if (result.passed) passed.add(result.name);
    else failed.push(result.name);
    if (!result.passed && enough(result.name)) end();
  });
  await new Promise<void>((done, refuse) => child.once('close', () => done()).once('error', refuse));
  clearTimeout(timer);
  return { passed, failed, timedOut, seconds: (Date.now() - began) / 1000 };
}

function resultOf(line: string): TestResult | undefined {
  return line.startsWith('{') ? (JSON.parse(line) as TestResult) : undefined;
}
