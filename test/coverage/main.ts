/**
 * How much of packages/, without the sandbox, `make test` runs: each test file in its process as usual, with Node's own
 * coverage, all merged.
 *   node test/coverage/main.ts [--files] [FILE or FOLDER …]
 * It fails if a test fails, and if less than 80 % of the lines ran; for a part of the tests it only shows the figures.
 * --files names the files below that. It does not see what a process ran that was killed, or that was started with its
 * own environment: the true figure is higher.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Covered, measuring, type V8Coverage } from './covered.ts';
import { linesOf, percent, sum, type Figure } from './lines.ts';

const least = 80;
const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({ options: { files: { type: 'boolean' } }, allowPositionals: true });

const sources = globSync('packages/{base,kube,ssvirt}/src/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|fixture|d)\.ts$|\/testdata\//.test(file))
  .toSorted();
const urls = new Map(sources.map((file) => [pathToFileURL(join(root, file)).href, file]));
const covered = new Covered((url) => urls.has(url));

const folder = mkdtempSync(join(tmpdir(), 'ssvirt-coverage-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const code = await runTests();
report(
  new Map([...urls].map(([url, file]) => [file, linesOf(readFileSync(join(root, file), 'utf8'), covered.of(url))])),
);
if (code !== 0) process.exitCode = 1;

async function runTests(): Promise<number | null> {
  // Coverage slows tests down: files get twice the time.
  const env = measuring(folder);
  const child = spawn(process.execPath, ['test/run.ts', '--limit', '480', ...positionals], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  // Each process writes some megabytes: they are read as they come.
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([exited, pause(1000)]);
    takeIn();
  }
  takeIn();
  return (await exited)[0];
}

function takeIn(): void {
  for (const name of globSync('coverage-*.json', { cwd: folder })) {
    const file = join(folder, name);
    const told = parsed(readFileSync(file, 'utf8'));
    if (told === undefined) continue;
    covered.add(told);
    rmSync(file);
  }
}

/** Undefined while the file is still being written. */
function parsed(text: string): V8Coverage | undefined {
  try {
    return JSON.parse(text) as V8Coverage;
  } catch {
    return undefined;
  }
}

function report(figures: ReadonlyMap<string, Figure>): void {
  const folders = Map.groupBy(figures, ([file]) => file.split('/').slice(0, 2).join('/'));
  for (const [name, files] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(name, sum(files.map(([, figure]) => figure)));
  if (values.files === true)
    for (const [file, figure] of [...figures].filter(([, one]) => percent(one) < least)) say(file, figure);
  const total = sum([...figures.values()]);
  say('packages without the sandbox', total);
  if (positionals.length > 0) console.log(`of a part of the tests: whether it is ${least} % is not judged`);
  else if (percent(total) < least) {
    console.log(`failed: less than ${least} % of the lines were run`);
    process.exitCode = 1;
  }
}

function say(name: string, figure: Figure): void {
  const share = percent(figure).toFixed(1).padStart(5);
  console.log(`${share} %  ${String(figure.run).padStart(6)} of ${String(figure.lines).padStart(6)} lines  ${name}`);
}
