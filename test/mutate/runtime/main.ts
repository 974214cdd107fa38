/**
 * Do the tests of the runtime bite? Switches behaviours of src/kube off, one at a time, in a copy of the repository, and runs the tests that bear the
 * id of the behaviour: `make mutate-runtime`, or `bin/node test/mutate/runtime/main.ts [--sample N] [ids]`. Ends with 1 if one is not noticed.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Copy } from '../copies.ts';
import { misfit } from '../defect.ts';
import { sample } from '../sample.ts';
import { defects } from './defects.ts';
import type { RuntimeDefect } from './defect.ts';
import { runTests } from './run.ts';

const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
const named = defects.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const chosen = values.sample === undefined ? named : sample(named, Number(values.sample), new Date());
if (chosen.length === 0) throw new Error(`no defect is planted for ${positionals.join(' or ')}`);

const copy = Copy.of(resolve(import.meta.dirname, '../../..'), 'src');
process.on('exit', () => copy.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const began = Date.now();
let noticed = 0;
for (const defect of chosen) {
  const problem = misfit(defect, copy.source(defect)) ?? (await tryDefect(defect));
  if (problem === undefined) noticed++;
  else console.log(`${defect.id}: NOT NOTICED: ${problem}\n    ${defect.file}: ${defect.name}`);
}
console.log(`${noticed} of ${chosen.length} noticed in ${((Date.now() - began) / 1000).toFixed(0)} s`);
if (noticed < chosen.length) process.exitCode = 1;

/** Why it proves nothing, or undefined where it was noticed. */
async function tryDefect(defect: RuntimeDefect): Promise<string | undefined> {
  const sound = await runTests(copy.path, defect);
  if (sound.passed.size === 0)
    return `without the defect no test with ${defect.id} passes in ${defect.tests.join(', ')}`;
  if (sound.failed.length > 0) return `without the defect "${sound.failed[0]}" fails`;
  const run = await copy.with(defect, () => runTests(copy.path, defect));
  // A test that waits for ever for what was switched off has noticed it as well, if its own deadline says so; a file that was ended did not say.
  const by = run.failed.find((name) => sound.passed.has(name));
  if (by === undefined) return run.timedOut ? 'its tests did not end in time' : 'its tests pass all the same';
  console.log(`${defect.id}: noticed by "${by}" (${run.seconds.toFixed(1)} s)\n    ${defect.file}: ${defect.name}`);
  return undefined;
}
