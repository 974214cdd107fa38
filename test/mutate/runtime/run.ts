/** The tests of one id, in a copy of the repository. */
import { spawn } from 'node:child_process';
import type { TestResult } from '../reporter.ts';
import type { SuiteRun } from '../suite.ts';
import type { RuntimeDefect } from './defect.ts';

/** A behaviour that is missing may make a test wait for what never comes. */
const deadline = 120_000;

export async function runTests(copy: string, { id, tests }: Pick<RuntimeDefect, 'id' | 'tests'>): Promise<SuiteRun> {
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=./test/mutate/reporter.ts', '--test-reporter-destination=stdout'];
  const child = spawn(process.execPath, [...args, `--test-name-pattern=/\\b${id}\\b/`, ...tests], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, deadline);
  await new Promise<void>((done, refuse) => child.once('close', () => done()).once('error', refuse));
  clearTimeout(timer);
  const results = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as TestResult] : []));
  const own = results.filter(({ name }) => new RegExp(`\\b${id}\\b`).test(name));
  return {
    passed: new Set(own.filter(({ passed }) => passed).map(({ name }) => name)),
    failed: own.filter(({ passed }) => !passed).map(({ name }) => name),
    timedOut,
    seconds: (Date.now() - began) / 1000,
  };
}
