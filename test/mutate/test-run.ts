/** One run of tests in a copy of the sources. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copiesFolder } from '../../packages/ssvirt/src/db/embedded/binaries.ts';
import { SEEDS, TOPICS } from '../conformance/selection.ts';
import { PREPARED } from '../database/prepared.ts';
import { PATIENCE } from '../machine-operator/harness.ts';
import { startChild } from '../runner/child.ts';
import type { Tests } from './defect.ts';
import { resultIn } from './reporter.ts';

export interface TestRun {
  readonly passed: ReadonlySet<string>;
  /** In the order in which they failed. */
  readonly failed: readonly string[];
  readonly timedOut: boolean;
  readonly seconds: number;
}

/** A defect may make a test wait for something that never happens: the test fails then. If that does not end the run, the run is killed. */
const testMs = 60_000;
const runMs = 180_000;

// A changed migration makes a prepared database that is of no use afterwards, so all of them get a folder of their own. PostgreSQL's account must get there.
const prepared = mkdtempSync(join(copiesFolder, 'ssvirt-mutate-postgres-'));
chmodSync(prepared, 0o755);
process.once('exit', () => rmSync(prepared, { recursive: true, force: true }));

/** Runs the tests until all have ended, or until `isEnough` says that the rest does not matter. */
export async function runTests(
  copy: string,
  { file, only = [], topics = [] }: Tests,
  isEnough: (run: Pick<TestRun, 'passed' | 'failed'>) => boolean = () => false,
): Promise<TestRun> {
  const began = performance.now();
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = {
    ...own,
    [PREPARED]: prepared,
    // Shorter than the minute after which operators look at an object again without an event: that would hide an event that is missed.
    [PATIENCE]: '25000',
    ...(topics.length === 0 ? {} : { [TOPICS]: topics.join(','), [SEEDS]: '0' }),
  };
  const passed = new Set<string>();
  const failed: string[] = [];
  const child = startChild(process.execPath, argumentsFor(file, only), {
    cwd: copy,
    env,
    limitMs: runMs,
    onLine(line) {
      const result = resultIn(line);
      if (result === undefined) return;
      if (result.passed) passed.add(result.name);
      else failed.push(result.name);
      if (isEnough({ passed, failed })) child.stop();
    },
  });
  const { timedOut } = await child.ended;
  return { passed, failed, timedOut, seconds: (performance.now() - began) / 1000 };
}

function argumentsFor(file: string, only: readonly string[]): readonly string[] {
  return [
    '--test',
    '--import=./test/runner/property-seed.ts',
    '--test-reporter=./test/mutate/reporter.ts',
    '--test-reporter-destination=stdout',
    `--test-timeout=${testMs}`,
    ...only.map((name) => `--test-name-pattern=${patternOf(name)}`),
    file,
  ];
}

/** Of the whole name, not of a part of it. */
function patternOf(name: string): string {
  return `/^${name.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$/`;
}
