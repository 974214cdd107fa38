/**
 * The test runner behind `make test`: finds the tests, runs the long files first and the short ones in groups that share a process, and ends with what was not run and what failed.
 *   node test/run.ts [--suites] [--all] [--spec] [--limit SECONDS] [FILE or FOLDER …]
 * Without --suites or --all the suites that need tools run only where they are named; --all runs the tests and the suites; --spec prints every test's name; --limit is for each file.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { triesAll } from './chosen.ts';
import type { Lender } from './database/lent.ts';
import { findTool, notRun } from './not-run.ts';
import { selectFiles } from './runner/files.ts';
import { groupFiles } from './runner/groups.ts';
import { longestFirst } from './runner/longest.ts';
import { runFile, runGroup, type FileResult } from './runner/process.ts';
import { failedLines, fileText, totalsText } from './runner/text.ts';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);

const { values, positionals } = parseArgs({
  options: {
    suites: { type: 'boolean' },
    all: { type: 'boolean' },
    spec: { type: 'boolean' },
    limit: { type: 'string' },
  },
  allowPositionals: true,
});

/** None takes half as long, on a busy machine. Node's own limit is one of a test and not of a file: what stays after the tests would be waited for without an end. */
const limitMs = Number(values.limit ?? (triesAll ? 3600 : values.suites === true ? 600 : 240)) * 1000;
// Many files wait for something most of the time: more than there are cores keep these busy. Suites start servers that work.
const width = availableParallelism() + (kinds().includes('suite') ? 1 : 2);

const scratch = mkdtempSync(join(tmpdir(), 'ssvirt-test-'));
const notes = join(scratch, 'not-run');
writeFileSync(notes, '');
process.env['SSVIRT_NOT_RUN'] = notes;
// Variables of `make test ARGS=…` are not for the `make run` of a test.
for (const name of ['MAKEFLAGS', 'MAKEOVERRIDES', 'MFLAGS', 'ARGS']) delete process.env[name];
// Hundreds of processes load the same files: what one has compiled the others need not.
process.env['NODE_COMPILE_CACHE'] ??= join(scratch, 'compiled');
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
  process.once(signal, () => process.exit(code));

const files = selectFiles(
  root,
  { within: positionals, kinds: kinds(), isWhole: values.all === true || triesAll },
  findTool,
);
if (files.later.length > 0) notRun(`${files.later.length} suites of make test-all`, files.later.join(', '));
for (const [file, reason] of files.left) notRun(file, reason);
const suites = kinds().includes('suite') ? [] : selectFiles(root, { within: [], kinds: ['suite'] }, () => '').run;
if (suites.length > 0)
  notRun(`${suites.length} suites that need more than Node, or more time`, 'name one, or let .ci/run run them');

let results: readonly FileResult[] = [];
if (files.run.length === 0 && files.left.size === 0) {
  console.error(`there are no tests within ${positionals.join(', ') || root}`);
  process.exitCode = 1;
} else if (files.run.length > 0) {
  results = await runFiles(longestFirst(files.run));
}
for (const line of readFileSync(notes, 'utf8')
  .split('\n')
  .filter((text) => text !== ''))
  console.log(`not run: ${line}`);
for (const line of failedLines(results)) console.log(line);

/** All of it together would take longer than anybody waits: suites are for .ci/run, and for those who name them. */
function kinds(): readonly ('test' | 'suite')[] {
  if (values.suites === true) return ['suite'];
  return values.all === true || positionals.length > 0 ? ['test', 'suite'] : ['test'];
}

async function runFiles(names: readonly string[]): Promise<readonly FileResult[]> {
  const began = performance.now();
  const ended: FileResult[] = [];
  // With --spec every line has to be known as that of its file.
  const groups =
    values.spec === true ? names.map((name) => [name]) : groupFiles(names, (file) => readFileSync(file, 'utf8'));
  const left = [...groups.entries()];
  const worker = async (): Promise<void> => {
    const lender = names.length > 1 ? await startLender() : undefined;
    for (let next = left.shift(); next !== undefined; next = left.shift())
      ended.push(...(await runFilesOf(next[1], next[0], lender?.env)));
    await lender?.stop();
  };
  await Promise.all(Array.from({ length: Math.min(width, names.length) }, worker));
  process.stdout.write(totalsText(ended, (performance.now() - began) / 1000));
  if (ended.some(({ passed }) => !passed)) process.exitCode = 1;
  return ended;
}

/** Undefined where there is none to lend, as in the small repositories that the runner's own tests make: a test that needs one starts it. */
async function startLender(): Promise<Lender | undefined> {
  if (!existsSync(join(root, 'test/database/lent.ts'))) return undefined;
  try {
    const lending = await import('./database/lent.ts');
    return await lending.startLender();
  } catch (error) {
    console.error('no PostgreSQL is lent to the tests:', error);
    return undefined;
  }
}

async function runFilesOf(
  group: readonly string[],
  number: number,
  env: NodeJS.ProcessEnv = {},
): Promise<readonly FileResult[]> {
  const spec = values.spec === true ? { onSpec: (line: string) => console.log(line) } : {};
  const options = { root, told: join(scratch, `told-${number}`), limitMs, env, ...spec };
  const [file = ''] = group;
  const results = group.length === 1 ? [await runFile(file, options)] : await runGroup(group, options);
  for (const result of results) process.stdout.write(fileText(result));
  return results;
}
