/**
 * Do the tests of the simulators bite? Switches behaviours of src/sandbox/simulators off in copies, one at a time, and runs the scenarios or tests
 * that must notice: `make mutate-simulators`, or `bin/node test/mutate/simulators/main.ts [--sample N] [words of a defect's name or file]`.
 * --sample takes N of them, others every day. Where the recordings of KubeVirt are not at hand, those that only they can show are left out, by name.
 * Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from '../../conformance/script.ts';
import { missingRecordings } from '../../kubevirt/transcripts.ts';
import { Copy } from '../copies.ts';
import { misfit } from '../defect.ts';
import { sample } from '../sample.ts';
import { judge, verdictText } from '../verdict.ts';
import { needsRecordings, type Check, type SimulatorDefect } from './defect.ts';
import { defects } from './defects/index.ts';
import { runCheck } from './run.ts';

/** Each is a test process with its sandbox, and waits about as long as it computes. */
const width = 2;

const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
const named = defects.filter(
  ({ name, file }) => positionals.length === 0 || positionals.some((word) => `${file}: ${name}`.includes(word)),
);
const chosen = values.sample === undefined ? named : sample(named, Number(values.sample), new Date());
if (chosen.length === 0) throw new Error(`no defect is called ${positionals.join(' or ')}`);
const missing = missingRecordings();
const [left, tried] = [chosen.filter(isLeftOut), chosen.filter((defect) => !isLeftOut(defect))];
for (const { file, name } of left) console.log(`not run: ${file}: ${name}: ${missing}`);

const first = Copy.of(resolve(import.meta.dirname, '../../..'), 'src/sandbox/simulators');
const copies = [first, ...Array.from({ length: width - 1 }, () => first.again())];
process.on('exit', () => copies.forEach((copy) => copy.remove()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const began = Date.now();
const free = [...copies];
const sound = new Map(
  await inParallel(checksOf(tried), width, async (check) => [check.file, await soundTests(check)] as const),
);
const noticed = await inParallel(tried, width, (defect) => inCopy((copy) => isNoticed(copy, defect)));
const count = noticed.filter((one) => one).length;
const leftOut = left.length === 0 ? '' : `, ${left.length} not run,`;
console.log(`${count} of ${tried.length} defects noticed${leftOut} in ${((Date.now() - began) / 1000).toFixed(0)} s`);
if (count < tried.length) process.exitCode = 1;

function isLeftOut({ noticedBy }: SimulatorDefect): boolean {
  return missing !== undefined && needsRecordings(noticedBy);
}

async function inCopy<T>(work: (copy: Copy) => Promise<T>): Promise<T> {
  const copy = free.pop() as Copy;
  try {
    return await work(copy);
  } finally {
    free.push(copy);
  }
}

/** One for each file, of all tests in it that anybody names. */
function checksOf(all: readonly SimulatorDefect[]): readonly Check[] {
  const byFile = Map.groupBy(
    all.map(({ noticedBy }) => noticedBy),
    ({ file }) => file,
  );
  return [...byFile].map(([file, checks]) => {
    const only = checks.every((check) => check.only !== undefined)
      ? { only: [...new Set(checks.flatMap((check) => check.only ?? []))] }
      : {};
    return { file, ...only };
  });
}

/** The tests that pass without any defect; all of them should. */
async function soundTests(check: Check): Promise<ReadonlySet<string>> {
  const { passed, failed, timedOut } = await inCopy((copy) => runCheck(copy.path, check));
  for (const name of failed) console.log(`FAILS WITHOUT A DEFECT: ${check.file}: ${name}`);
  if (timedOut) console.log(`DOES NOT END WITHOUT A DEFECT: ${check.file}`);
  if (failed.length > 0 || timedOut) process.exitCode = 1;
  return passed;
}

async function isNoticed(copy: Copy, defect: SimulatorDefect): Promise<boolean> {
  const { file, name, noticedBy } = defect;
  const problem = misfit(defect, copy.source(defect));
  if (problem !== undefined) {
    console.log(`DOES NOT FIT: ${problem}`);
    return false;
  }
  const passing = sound.get(noticedBy.file) ?? new Set<string>();
  const run = await copy.with(defect, () => runCheck(copy.path, noticedBy, (test) => passing.has(test)));
  const verdict = judge(run, passing);
  console.log(`${verdictText(verdict)} (${run.seconds.toFixed(1)} s)\n    ${file}: ${name}`);
  return verdict.kind === 'caught';
}
