/** Plants defects in copies of the repository, one at a time, and runs the tests that must notice each. */
import { inParallel } from '../conformance/script.ts';
import { filesKey, together, type Check } from './check.ts';
import { chosen } from './choice.ts';
import { Copies, type Copy } from './copies.ts';
import { misfit, type Edit } from './defect.ts';
import { runCheck, type RunLimits } from './run.ts';
import { judge, verdictText } from './verdict.ts';

export interface Planting<D extends Edit> {
  readonly defects: readonly D[];
  /** What the files of the defects are relative to. */
  readonly below: string;
  readonly checkOf: (defect: D) => Check;
  /** How many are tried at a time. */
  readonly width: number;
  readonly limits: RunLimits;
  readonly env?: NodeJS.ProcessEnv;
  readonly titleOf?: (defect: D) => string;
  /** Whether a word on the command line means it; unless said, one that stands in its name or file. */
  readonly isCalled?: (defect: D, word: string) => boolean;
  /** Why it cannot be tried here. */
  readonly leftOut?: (defect: D) => string | undefined;
  /** A test that fails proves something though no other one passes. */
  readonly alone?: boolean;
}

/** Says what became of each; the process will end with 1 if one is not noticed, or if a test fails without any. */
export async function plantEach<D extends Edit>(planting: Planting<D>): Promise<void> {
  const { defects, isCalled, leftOut = () => undefined, below, width } = planting;
  const all = chosen(defects, isCalled);
  const tried = all.filter((defect) => leftOut(defect) === undefined);
  for (const defect of all)
    if (!tried.includes(defect)) console.log(`not run: ${title(planting, defect)}: ${leftOut(defect)}`);
  const copies = new Copies(below, width);
  const began = Date.now();
  const sound = await soundTests(planting, tried, copies);
  const noticed = await inParallel(tried, width, (defect) =>
    copies.lend((copy) => isNoticed(planting, defect, sound, copy)),
  );
  const count = noticed.filter((one) => one).length;
  const others = all.length === tried.length ? '' : `, ${all.length - tried.length} not run,`;
  console.log(`${count} of ${tried.length} defects noticed${others} in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (count < tried.length) process.exitCode = 1;
}

/** By their files, the tests that pass without any defect; all of them should. */
async function soundTests<D extends Edit>(
  { checkOf, width, limits, env = {} }: Planting<D>,
  tried: readonly D[],
  copies: Copies,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const checks = together(tried.map(checkOf));
  const runs = await inParallel(checks, width, async (check) => {
    const { passed, failed, timedOut } = await copies.lend((copy) => runCheck(copy.path, check, { limits, env }));
    for (const name of failed) console.log(`FAILS WITHOUT A DEFECT: ${filesKey(check)}: ${name}`);
    if (timedOut) console.log(`DOES NOT END WITHOUT A DEFECT: ${filesKey(check)}`);
    if (failed.length > 0 || timedOut) process.exitCode = 1;
    return [filesKey(check), passed] as const;
  });
  return new Map(runs);
}

async function isNoticed<D extends Edit>(
  planting: Planting<D>,
  defect: D,
  sound: ReadonlyMap<string, ReadonlySet<string>>,
  copy: Copy,
): Promise<boolean> {
  const { checkOf, limits, env = {}, alone = false } = planting;
  const problem = misfit(defect, copy.source(defect));
  if (problem !== undefined) {
    console.log(`DOES NOT FIT: ${problem}`);
    return false;
  }
  const check = checkOf(defect);
  const passing = sound.get(filesKey(check)) ?? new Set<string>();
  const enough = (passed: ReadonlySet<string>, failed: readonly string[]): boolean =>
    (alone || passed.size > 0) && failed.some((name) => passing.has(name));
  const run = await copy.with(defect, () => runCheck(copy.path, check, { limits, env, enough }));
  const verdict = judge(alone ? { ...run, passed: passing } : run, passing);
  console.log(`${verdictText(verdict)} (${run.seconds.toFixed(1)} s)\n    ${title(planting, defect)}`);
  return verdict.kind === 'caught';
}

function title<D extends Edit>({ titleOf }: Planting<D>, defect: D): string {
  return titleOf?.(defect) ?? `${defect.file}: ${defect.name}`;
}
