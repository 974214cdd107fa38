/** Test files in a process, and what became of each. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild, type Child, type ChildEnd } from './child.ts';
import { none, type Counts, type Failure, type Told } from './reporter.ts';

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

/** What a process has told, and how it ended. */
interface Ran extends ChildEnd {
  readonly told: readonly Told[];
  readonly stderr: string;
  readonly seconds: number;
}

const mostStderr = 200_000;

/** What every test process loads first. */
const preloads = ['at-exit.ts', 'property-seed.ts'].map(
  (name) => `--import=${pathToFileURL(join(import.meta.dirname, name)).href}`,
);

export async function runFile(file: string, options: FileOptions): Promise<FileResult> {
  const ran = await run([join(options.root, file)], options);
  const { told, stderr, seconds } = ran;
  const failures = failuresIn(told);
  const counts = told.find((one) => one.kind === 'counts')?.counts;
  const passed = ran.code === 0 && counts !== undefined;
  const isSaid = failures.some(({ isTodo }) => !isTodo);
  return {
    file,
    counts: counts ?? { ...none, tests: 1, failed: 1 },
    failures:
      passed || (isSaid && !ran.timedOut) ? failures : [...failures, ofFile(file, why(ran, options.limitMs, told))],
    notes: notesIn(told),
    stderr,
    seconds,
    passed,
  };
}

/** Runs the files one after the other in one process. `limitMs` is for each. */
export async function runGroup(files: readonly string[], options: FileOptions): Promise<readonly FileResult[]> {
  const group = [join(import.meta.dirname, 'group.ts'), ...files.map((file) => join(options.root, file))];
  const ran = await run(group, options);
  const results = files.map((file) => fileOfGroup(file, files, ran, options));
  if (ran.code === 0 || results.some(({ passed }) => !passed)) return spread(ran, results);
  // All files have ended well, and their process has not: which of them is to blame is not known.
  const text = `${why(ran, options.limitMs, ran.told)}; ${together(files)}`;
  return spread(
    ran,
    results.map((result, i) =>
      i < results.length - 1 ? result : { ...result, failures: [ofFile(result.file, text)], passed: false },
    ),
  );
}

function together(files: readonly string[]): string {
  return `the process ran ${files.join(', ')} one after the other`;
}

/** What a group has printed is the group's, and stands with its last file. */
function spread({ stderr }: Ran, results: readonly FileResult[]): readonly FileResult[] {
  return results.map((result, i) => (i < results.length - 1 ? result : { ...result, stderr }));
}

function fileOfGroup(file: string, files: readonly string[], ran: Ran, { root, limitMs }: FileOptions): FileResult {
  const { told } = ran;
  const name = join(root, file);
  const end = told.findIndex((one) => one.kind === 'file' && one.file === name);
  const ended = told[end];
  if (ended?.kind !== 'file') {
    const began = told.findLastIndex((one) => one.kind === 'began' && one.name === name);
    const own = began === -1 ? [] : told.slice(began + 1);
    const cause = why(ran, limitMs, own);
    const text = began === -1 ? `${cause}, and nothing was heard of this file; ${together(files)}` : cause;
    const failures = [...failuresIn(own), ofFile(file, text)];
    const counts = { ...none, tests: 1, failed: 1 };
    return { file, counts, failures, notes: notesIn(own), stderr: '', seconds: 0, passed: false };
  }
  const before = told.slice(0, end).findLastIndex((one) => one.kind === 'file');
  const own = told.slice(before + 1, end);
  const failures = failuresIn(own).map((one) => (one.name === name ? ofFile(file, one.text) : one));
  const { counts, seconds } = ended;
  const passed = failures.every(({ isTodo }) => isTodo);
  return { file, counts, failures, notes: notesIn(own), stderr: '', seconds, passed };
}

async function run(args: readonly string[], options: FileOptions): Promise<Ran> {
  const began = performance.now();
  let stderr = '';
  const child = start(args, options, (text) => (stderr = (stderr + text).slice(-mostStderr)));
  const end = await child.ended;
  const told = existsSync(options.told) ? toldIn(readFileSync(options.told, 'utf8')) : [];
  return { ...end, told, stderr, seconds: (performance.now() - began) / 1000 };
}

function why({ timedOut, signal, code }: ChildEnd, limitMs: number, told: readonly Told[]): string {
  return timedOut ? late(limitMs, told) : `the process ended with ${signal ?? `exit code ${code}`}`;
}

function failuresIn(told: readonly Told[]): readonly Failure[] {
  return told.filter((one) => one.kind === 'failure');
}

function notesIn(told: readonly Told[]): readonly string[] {
  return told.flatMap((one) => (one.kind === 'note' ? [one.text] : []));
}

function start(files: readonly string[], options: FileOptions, onError: (text: string) => void): Child {
  const { root, told, limitMs, onSpec } = options;
  // Code that looks whether it is tested finds this; node's own values would make the file a part of a run around us.
  const env = { ...process.env, ...options.env, NODE_TEST_CONTEXT: 'file' };
  const spec = onSpec === undefined ? [] : ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const own = [`--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`, `--test-reporter-destination=${told}`];
  // A test that is late fails by itself, so that what it has started is stopped and the others have their turn.
  const args = [`--test-timeout=${limitMs * 0.8}`, ...own, ...spec, ...preloads, ...files];
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
