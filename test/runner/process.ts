/** One test file in a process of its own, and what became of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild, type Child } from './child.ts';
import type { Counts, Failure, Told } from './reporter.ts';

export interface FileOptions {
  readonly root: string;
  /** A file that nobody else uses, for what it tells. */
  readonly told: string;
  readonly limitMs: number;
  /** Beside that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets every test's name as it ends. */
  readonly onSpec?: (line: string) => void;
}

export interface FileResult {
  readonly file: string;
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  readonly notes: readonly string[];
  readonly stderr: string;
  readonly seconds: number;
  readonly passed: boolean;
}

const none: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
const mostStderr = 200_000;

export async function runFile(file: string, options: FileOptions): Promise<FileResult> {
  const { limitMs, told } = options;
  const began = performance.now();
  let stderr = '';
  const child = start(file, options, (text) => (stderr = (stderr + text).slice(-mostStderr)));
  const { code, signal, timedOut } = await child.ended;
  const all = existsSync(told) ? toldIn(readFileSync(told, 'utf8')) : [];
  const failures = all.filter((one) => one.kind === 'failure');
  const counts = all.find((one) => one.kind === 'counts')?.counts;
  const passed = code === 0 && counts !== undefined;
  const isSaid = failures.some(({ isTodo }) => !isTodo);
  const why = timedOut ? late(limitMs, all) : `the process ended with ${signal ?? `exit code ${code}`}`;
  return {
    file,
    counts: counts ?? { ...none, tests: 1, failed: 1 },
    failures: passed || (isSaid && !timedOut) ? failures : [...failures, ofFile(file, why)],
    notes: all.flatMap((one) => (one.kind === 'note' ? [one.text] : [])),
    stderr,
    seconds: (performance.now() - began) / 1000,
    passed,
  };
}

function start(file: string, options: FileOptions, onError: (text: string) => void): Child {
  const { root, told, limitMs, onSpec } = options;
  // Code that looks whether it is tested finds this; node's own values would make the file a part of a run around us.
  const env = { ...process.env, ...options.env, NODE_TEST_CONTEXT: 'file' };
  const spec = onSpec === undefined ? [] : ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const own = [`--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`, `--test-reporter-destination=${told}`];
  // A test that is late fails by itself, so that what it has started is stopped and the others have their turn.
  const ending = `--import=${pathToFileURL(join(import.meta.dirname, 'at-exit.ts')).href}`;
  const args = [`--test-timeout=${limitMs * 0.8}`, ...own, ...spec, ending, join(root, file)];
  const listener = onSpec === undefined ? {} : { onLine: onSpec };
  return startChild(process.execPath, args, { cwd: root, env, limitMs, onError, ...listener });
}

/** The last line of a process that was killed may be half. */
function toldIn(text: string): readonly Told[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Told);
}

function ofFile(file: string, text: string): Failure {
  return { name: file, place: `${file}:1`, text, isTodo: false };
}

/** Why a file that took too long did so, as far as it has told. */
export function late(limitMs: number, told: readonly Told[]): string {
  const open: string[] = [];
  for (const one of told) {
    if (one.kind === 'began') open.push(one.name);
    if (one.kind === 'ended') open.splice(open.lastIndexOf(one.name), 1);
  }
  const ended = 'its tests had ended, and something that they started had not';
  const running = open.length === 0 ? ended : `these had not: ${open.slice(0, 8).join('; ')}`;
  const what = told.length === 0 ? 'no test of it had begun, or one never let go of the processor' : running;
  return `it did not end in ${limitMs / 1000} s and was killed: ${what}`;
}
