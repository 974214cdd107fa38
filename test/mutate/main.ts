/**
 * Do the tests notice defects? Plants them one by one in a copy of the sources, and runs the tests that must notice each:
 *   node test/mutate/main.ts [--ci] [--area AREA] [WORD …]
 * All defects; with --ci those that CI plants; with words those whose file or description contains one of the words. Ends with 1 if a defect is not noticed, or
 * if a test fails without one.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { areas } from './areas.ts';
import { keyOf, together } from './baseline.ts';
import { Copy } from './copy.ts';
import { misfit, type Defect, type Tests } from './defect.ts';
import { forEachInCopies } from './pool.ts';
import { runTests } from './test-run.ts';
import { judge, outcomeText } from './outcome.ts';

/** Each run is a test process, most with a cluster or a database: about one core. */
const width = 2;

const { values, positionals } = parseArgs({
  options: { ci: { type: 'boolean', default: false }, area: { type: 'string' } },
  allowPositionals: true,
});
const began = performance.now();
const defects = chosen();
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const])
  process.once(signal, () => process.exit(code));

const first = Copy.of(resolve(import.meta.dirname, '../..'));
const copies = [first, ...Array.from({ length: width - 1 }, () => first.again())];
const sound = new Map<string, ReadonlySet<string>>();
await forEachInCopies(copies, together(defects.map(({ noticedBy }) => noticedBy)), runWithout);
let noticed = 0;
await forEachInCopies(copies, defects, tryDefect);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`${noticed} of ${defects.length} defects noticed in ${seconds} s`);
if (noticed < defects.length) process.exitCode = 1;

function chosen(): readonly Defect[] {
  const { area } = values;
  const names = Object.keys(areas);
  if (area !== undefined && !names.includes(area))
    throw new Error(`there is no area "${area}"; the areas are ${names.join(', ')}`);
  const found = names
    .filter((name) => area === undefined || name === area)
    .flatMap((name) => areas[name] ?? [])
    .filter(({ ci = false }) => ci || !values.ci)
    .filter(
      ({ file, why }) => positionals.length === 0 || positionals.some((word) => `${file}: ${why}`.includes(word)),
    );
  if (found.length === 0) throw new Error('no defect matches the arguments');
  return found;
}

async function runWithout(copy: Copy, tests: Tests): Promise<void> {
  const { passed, failed, timedOut } = await runTests(copy.path, tests);
  for (const name of failed) console.log(`FAILS WITHOUT A DEFECT: ${tests.file}: ${name}`);
  if (timedOut) console.log(`DOES NOT END WITHOUT A DEFECT: ${tests.file}`);
  if (failed.length > 0 || timedOut) process.exitCode = 1;
  sound.set(keyOf(tests), passed);
}

async function tryDefect(copy: Copy, defect: Defect): Promise<void> {
  const { file, why, noticedBy } = defect;
  const problem = misfit(defect, copy.read(file));
  if (problem !== undefined) {
    console.log(`DOES NOT FIT: ${problem}`);
    return;
  }
  const passing = sound.get(keyOf(noticedBy)) ?? new Set<string>();
  const run = await copy.with(defect, () =>
    runTests(copy.path, noticedBy, (soFar) => judge({ ...soFar, timedOut: false }, passing).kind === 'noticed'),
  );
  const outcome = judge(run, passing);
  if (outcome.kind === 'noticed') noticed += 1;
  console.log(`${outcomeText(outcome)} (${run.seconds.toFixed(1)} s)\n    ${file}: ${why}`);
}
