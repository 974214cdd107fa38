/**
 * Does the conformance suite bite? Plants defects in copies of the sandbox, one at a time, and runs the suite against
 * each: `make mutate-sandbox`, or `bin/node test/mutate/main.ts [--sample N] [words of a defect's name or file]`.
 * --sample takes N of them, others every day. Ends with 1 if one is not caught, or if a test fails without any.
 */
import { inParallel } from '../conformance/script.ts';
import { chosen } from './choice.ts';
import { Copies, type Copy } from './copies.ts';
import { misfit } from './defect.ts';
import type { Defect } from './defect.ts';
import { defects } from './defects/index.ts';
import { runSuite } from './suite.ts';
import type { Part } from './suite.ts';
import { confirm, judge, verdictText } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Each is a test process and a sandbox, and needs about one core. */
const width = 2;

const all = chosen(defects);
const copies = new Copies('src/sandbox', width);

const began = Date.now();
const fitting = await copies.lend(async (copy) => all.filter((defect) => fits(copy, defect)));
const sound = await copies.lend(soundTests);
const verdicts = await inParallel(fitting, width, (defect) => copies.lend((copy) => tryDefect(copy, defect)));
const caught = verdicts.filter(({ kind }) => kind === 'caught').length;
console.log(`${caught} of ${all.length} defects caught in ${((Date.now() - began) / 1000).toFixed(0)} s`);
if (caught < all.length) process.exitCode = 1;

function fits(copy: Copy, defect: Defect): boolean {
  const problem = misfit(defect, copy.source(defect));
  if (problem !== undefined) console.log(`DOES NOT FIT: ${problem}`);
  return problem === undefined;
}

/** The tests that pass without any defect; all of them should. */
async function soundTests(copy: Copy): Promise<ReadonlySet<string>> {
  const topics = [...new Set(all.flatMap((defect) => defect.topics))];
  const { passed, failed, seconds } = await runSuite(copy.path, {
    topics,
    seeds: Math.max(...all.map((defect) => partOf(defect).seeds)),
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
