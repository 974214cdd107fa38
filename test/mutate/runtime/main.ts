/**
 * Do the tests of the runtime bite? Switches behaviours of src/kube and src/fleet off, one at a time, in a copy of the repository, and runs the tests
 * that bear the id of the behaviour: `make mutate-runtime`, or `bin/node test/mutate/runtime/main.ts [--sample N] [ids]`. Ends with 1 if one is not
 * noticed.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from '../../conformance/script.ts';
import { Copy } from '../copies.ts';
import { misfit } from '../defect.ts';
import { sample } from '../sample.ts';
import type { SuiteRun } from '../suite.ts';
import type { RuntimeDefect } from './defect.ts';
import { defects } from './defects/index.ts';
import { runTests } from './run.ts';

/** Tests wait more than they compute. */
const width = 3;

const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
const named = defects.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const chosen = values.sample === undefined ? named : sample(named, Number(values.sample), new Date());
if (chosen.length === 0) throw new Error(`no defect is planted for ${positionals.join(' or ')}`);

const first = Copy.of(resolve(import.meta.dirname, '../../..'), 'src');
const copies = [first, ...Array.from({ length: width - 1 }, () => first.again())];
process.on('exit', () => copies.forEach((copy) => copy.remove()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const began = Date.now();
const free = [...copies];
const soundRuns = new Map<string, Promise<SuiteRun>>();
const noticed = await inParallel(chosen, width, async (defect) => {
  const copy = free.pop() as Copy;
  try {
    const problem = misfit(defect, copy.source(defect)) ?? (await tryDefect(copy, defect));
    if (problem !== undefined) console.log(`${defect.id}: NOT NOTICED: ${problem}\n    ${defect.file}: ${defect.name}`);
    return problem === undefined;
  } finally {
    free.push(copy);
  }
});
const count = noticed.filter((one) => one).length;
const ids = new Set(chosen.filter((_, at) => noticed[at]).map(({ id }) => id));
console.log(
  `${count} of ${chosen.length} noticed, of ${ids.size} ids, in ${((Date.now() - began) / 1000).toFixed(0)} s`,
);
if (count < chosen.length) process.exitCode = 1;

/** Why it proves nothing, or undefined where it was noticed. */
async function tryDefect(copy: Copy, defect: RuntimeDefect): Promise<string | undefined> {
  const sound = await soundRun(copy, defect);
  if (sound.passed.size === 0)
    return `without the defect no test with ${defect.id} passes in ${defect.tests.join(', ')}`;
  if (sound.failed.length > 0) return `without the defect "${sound.failed[0]}" fails`;
  const counts = (name: string): boolean => sound.passed.has(name);
  const run = await copy.with(defect, () => runTests(copy.path, defect, counts));
  const by = run.failed.find(counts);
  if (by === undefined) return run.timedOut ? 'its tests did not end in time' : 'its tests pass all the same';
  console.log(`${defect.id}: noticed by "${by}" (${run.seconds.toFixed(1)} s)\n    ${defect.file}: ${defect.name}`);
  return undefined;
}

/** Once for all defects of an id. */
function soundRun(copy: Copy, { id, tests }: RuntimeDefect): Promise<SuiteRun> {
  const key = JSON.stringify([id, tests]);
  const run = soundRuns.get(key) ?? runTests(copy.path, { id, tests });
  soundRuns.set(key, run);
  return run;
}
