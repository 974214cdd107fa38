/**
 * The test runner behind `make test`: finds the tests, runs them with node:test, and ends with what was not run.
 *   node test/run.ts [--suites] [--spec] [FILE or FOLDER …]
 * --suites runs only the suites that need tools; --spec prints every test's name.
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

const files = selectFiles(
  root,
  { within: positionals, kinds: values.suites === true ? ['suite'] : ['test', 'suite'] },
  findTool,
);
for (const [file, reason] of files.left) notRun(file, reason);

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

async function runFiles(names: readonly string[]): Promise<void> {
  const stream = run({
    files: names.map((name) => join(root, name)),
    // Each file is a process of its own. More of them than cores makes deadlines fail, not tests faster.
    concurrency: Math.max(1, availableParallelism()),
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
