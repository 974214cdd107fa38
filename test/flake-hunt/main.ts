/**
 * Looks for flaky tests: `make flake-hunt`, or `bin/node test/flake-hunt/main.ts [--times N] [--load N] [--suites]
 * [FILE or FOLDER …]`. Runs each test file three times, and 20 times where it has failed in CI before, beside processes
 * that only use the processor, so that tests get about a quarter of a core. Prints a table of the files that failed,
 * with what they said, and ends with 1 if there is one. --suites adds the suites whose tools are found.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startLender } from '../database/lent.ts';
import { findTool } from '../not-run.ts';
import { selectFiles } from '../runner/files.ts';
import { runFile } from '../runner/process.ts';
import { failedLines } from '../runner/text.ts';
import { suspects } from './suspects.ts';

const cores = availableParallelism();
const root = resolve(import.meta.dirname, '../..');
process.chdir(root);
const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string' },
    load: { type: 'string', default: String(3 * cores) },
    suites: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

for (const file of suspects) if (!existsSync(file)) throw new Error(`the suspect ${file} does not exist`);
const kinds = values.suites ? (['test', 'suite'] as const) : (['test'] as const);
const { run: files, left } = selectFiles(root, { within: positionals, kinds }, findTool);
for (const [file, reason] of left) console.log(`not run: ${file}: ${reason}`);

const scratch = mkdtempSync(join(tmpdir(), 'ssvirt-flake-hunt-'));
process.env['SSVIRT_NOT_RUN'] = join(scratch, 'not-run');
writeFileSync(join(scratch, 'not-run'), '');
process.env['NODE_COMPILE_CACHE'] ??= join(scratch, 'compiled');
const load = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.on('exit', () => {
  for (const child of load) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
  process.once(signal, () => process.exit(code));

interface Row {
  readonly file: string;
  readonly runs: number;
  readonly failed: number;
  readonly said: ReadonlySet<string>;
}

const queue = files.map((file) => ({ file, runs: Number(values.times ?? (suspects.includes(file) ? 20 : 3)) }));
const rows: Row[] = [];
await Promise.all(Array.from({ length: cores }, work));
const flaky = rows.filter(({ failed }) => failed > 0).toSorted((a, b) => b.failed - a.failed);
console.log(`| file | runs | failed |\n| --- | --- | --- |`);
for (const { file, runs, failed, said } of flaky) {
  console.log(`| ${file} | ${runs} | ${failed} |`);
  for (const line of said) console.log(`    ${line}`);
}
const total = rows.reduce((sum, { runs }) => sum + runs, 0);
console.log(`${rows.length} files, ${total} runs, ${flaky.length} files failed at least once`);
if (flaky.length > 0) process.exitCode = 1;

async function work(): Promise<void> {
  const lender = await startLender();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) rows.push(await tryFile(next, lender.env));
  await lender.stop();
}

async function tryFile({ file, runs }: (typeof queue)[number], env: NodeJS.ProcessEnv): Promise<Row> {
  const said = new Set<string>();
  let failed = 0;
  for (let run = 0; run < runs; run++) {
    const told = join(scratch, `${file.replaceAll('/', '-')}-${run}`);
    const result = await runFile(file, { root, told, limitMs: 2_400_000, env });
    if (result.passed) continue;
    failed += 1;
    for (const line of failedLines([result])) said.add(line);
  }
  console.log(`${failed === 0 ? '✔' : '✖'} ${file} (${runs} runs, ${failed} failed)`);
  return { file, runs, failed, said };
}
