/**
 * The test runner behind `make test`: finds the tests, runs them with node:test, and ends with what was not run.
 *   node test/run.ts [--suites] [--spec] [FILE or FOLDER …]
 * Without --suites the suites that need tools run only where they are named; --spec prints every test's name.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { findTool, notRun } from './not-run.ts';
import { selectFiles } from './runner/files.ts';
import { fileByFile } from './runner/reporter.ts';

const minutes = 60_000;
const root = resolve(import.meta.dirname, '..');
process.chdir(root);

const { values, positionals } = parseArgs({
  options: { suites: { type: 'boolean' }, spec: { type: 'boolean' } },
  allowPositionals: true,
});

const scratch = mkdtempSync(join(tmpdir(), 'ssvirt-test-'));
const notes = join(scratch, 'not-run');
writeFileSync(notes, '');
process.env['SSVIRT_NOT_RUN'] = notes;
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const files = selectFiles(root, { within: positionals, kinds: kinds() }, findTool);
for (const [file, reason] of files.left) notRun(file, reason);
const suites = kinds().includes('suite') ? [] : selectFiles(root, { within: [], kinds: ['suite'] }, () => '').run;
if (suites.length > 0) notRun(`${suites.length} suites that need more than Node`, 'name one, or let .ci/run run them');

if (files.run.length === 0 && files.left.size === 0) {
  console.error(`there are no tests within ${positionals.join(', ') || root}`);
  process.exitCode = 1;
} else if (files.run.length > 0) {
  await runFiles(files.run);
}
for (const line of readFileSync(notes, 'utf8')
  .split('\n')
  .filter((text) => text !== ''))
  console.log(`not run: ${line}`);

/** All of it together would take longer than anybody waits: suites are for .ci/run, and for those who name them. */
function kinds(): readonly ('test' | 'suite')[] {
  if (values.suites === true) return ['suite'];
  return positionals.length > 0 ? ['test', 'suite'] : ['test'];
}

async function runFiles(names: readonly string[]): Promise<void> {
  const stream = run({
    files: names.map((name) => join(root, name)),
    // Each file is a process of its own. Many of them wait for something most of the time: one more than there are cores keeps these busy.
    concurrency: availableParallelism() + (values.suites === true ? 0 : 1),
    timeout: (values.suites === true ? 20 : 6) * minutes,
  });
  stream.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  });
  stream.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
  if (values.spec === true) await pipeline(stream, spec(), process.stdout, { end: false });
  else await pipeline(stream, fileByFile, process.stdout, { end: false });
}
