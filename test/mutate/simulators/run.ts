/** Tests of one file, in a copy of the repository. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { transcriptsFolder, upstreamCrdsFolder } from '../../kubevirt/transcripts.ts';
import type { TestResult } from '../reporter.ts';
import type { SuiteRun } from '../suite.ts';
import type { Check } from './defect.ts';

/** A behaviour that is missing may make a test wait for what never comes. */
const testTimeout = 25_000;
const deadline = 120_000;

/** Ends with the first failure that is `enough`, once anything has passed. */
export async function runCheck(
  copy: string,
  { file, only }: Check,
  enough: (failed: string) => boolean = () => false,
): Promise<SuiteRun> {
  const began = Date.now();
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=./test/mutate/reporter.ts', '--test-reporter-destination=stdout'];
  const names = only === undefined || only.length === 0 ? [] : [`--test-name-pattern=${patternOf(only)}`];
  const child = spawn(process.execPath, [...args, `--test-timeout=${testTimeout}`, ...names, file], {
    cwd: copy,
    // The copy does not stand beside the recordings.
    env: { ...env, SSVIRT_TEST_TRANSCRIPTS: transcriptsFolder, SSVIRT_TEST_UPSTREAM_CRDS: upstreamCrdsFolder },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = (): void => {
    // The whole group: the runner has a process for the file, and that one a sandbox.
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
    if (!line.startsWith('{')) return;
    const result = JSON.parse(line) as TestResult;
    if (result.passed) passed.add(result.name);
    else failed.push(result.name);
    if (passed.size > 0 && failed.some(enough)) end();
  });
  await new Promise<void>((done, refuse) => child.once('close', () => done()).once('error', refuse));
  clearTimeout(timer);
  return { passed, failed, timedOut, seconds: (Date.now() - began) / 1000 };
}

/** Of the whole name, or of what stands before its colon. */
export function patternOf(names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return `/^(?:${escaped.join('|')})(?::|$)/`;
}
