/**
 * Does the conformance suite bite? Plants defects in copies of the sandbox, one at a time, and runs the suite against
 * each: `make mutate-sandbox`, or `bin/node test/mutate/main.ts [--sample N] [words of a defect's name or file]`.
 * --sample takes N of them, others every day. Ends with 1 if one is not caught, or if a test fails without any.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from '../conformance/script.ts';
import { Copy } from './copies.ts';
import { misfit } from './defect.ts';
import type { Defect } from './defect.ts';
import { defects } from './defects/index.ts';
import { sample } from './sample.ts';
import { runSuite } from './suite.ts';
import type { Part } from './suite.ts';
import { confirm, judge, verdictText } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Each is a test process and a sandbox, and needs about one core. */
const width = 2;

const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
const named = defects.filter(
  ({ name, file }) => positionals.length === 0 || positionals.some((word) => `${file}: ${name}`.includes(word)),
);
const chosen = values.sample === undefined ? named : sample(named, Number(values.sample), new Date());
if (chosen.length === 0) throw new Error(`no defect is called ${positionals.join(' or ')}`);

const first = Copy.of(resolve(import.meta.dirname, '../..'), 'src/sandbox');
const copies = [first, ...Array.from({ length: width - 1 }, () => first.again())];
process.on('exit', () => copies.forEach((copy) => copy.remove()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const began = Date.now();
const fitting = chosen.filter((defect) => fits(defect));
const sound = await soundTests();
const free = [...copies];
const verdicts = await inParallel(fitting, width, async (defect) => {
  const copy = free.pop() as Copy;
  try {
    return await tryDefect(copy, defect);
  } finally {
    free.push(copy);
  }
});
const caught = verdicts.filter(({ kind }) => kind === 'caught').length;
console.log(`${caught} of ${chosen.length} defects caught in ${((Date.now() - began) / 1000).toFixed(0)} s`);
if (caught < chosen.length) process.exitCode = 1;

function fits(defect: Defect): boolean {
  const problem = misfit(defect, first.source(defect));
  if (problem !== undefined) console.log(`DOES NOT FIT: ${problem}`);
  return problem === undefined;
}

/** The tests that pass without any defect; all of them should. */
async function soundTests(): Promise<ReadonlySet<string>> {
  const topics = [...new Set(chosen.flatMap((defect) => defect.topics))];
  const { passed, failed, seconds } = await runSuite(first.path, {
    topics,
    seeds: Math.max(...chosen.map((defect) => partOf(defect).seeds)),
  });
  console.log(`without a defect ${passed.size} tests pass and ${failed.length} fail (${seconds.toFixed(1)} s)`);
  for (const name of failed.slice(0, 10)) console.log(`  FAILS WITHOUT A DEFECT: ${name}`);
  if (failed.length > 0) process.exitCode = 1;
  if (passed.size === 0) throw new Error('without a defect no test passes: there is nothing to plant one in');
  return passed;
}

async function tryDefect(copy: Copy, defect: Defect): Promise<Verdict> {
  const started = Date.now();
  const attempt = async (): Promise<Verdict> => judge(await runSuite(copy.path, partOf(defect)), sound);
  const verdict = await copy.with(defect, async () => {
    const found = await attempt();
    return found.kind === 'caught' && found.by.length === 1 ? confirm(found, await attempt()) : found;
  });
  const took = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${verdictText(verdict)}\n    ${defect.file}: ${defect.name} (${took} s)`);
  return verdict;
}

function partOf({ topics, seeds = 0 }: Defect): Part {
  return { topics, seeds };
}
