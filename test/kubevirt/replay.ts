/**
 * Replays recordings of the real KubeVirt against the simulated one.
 *   bin/node test/kubevirt/replay.ts [--verbose] [--trace] [--summary] [--real] [--log LEVEL] [--speed N] [--parallel N] [PATTERN …]
 * --real plays on a real kube-apiserver; --trace prints every write that a watcher sees.
 * A pattern is an id with `*` for anything: a scenario such as `vm/create-*`, `admission/create/*`, a state of the
 * matrix of subresources such as `matrix/always-running`, `access/*`. The default is all scenarios that can run on this
 * server.
 */
import { parseArgs } from 'node:util';
import { admissionCases, AdmissionRun, type CaseResult } from './admission.ts';
import { alone, realOnly } from './compare/differences.ts';
import { startHarness, startRealHarness, type Harness } from './harness.ts';
import { inParallel } from './in-parallel.ts';
import { accessCases, accessId, checkAccess, checkState, matrixStates } from './matrix.ts';
import { isSame, playScenario, type Replay } from './player.ts';
import { caseText, replayText, summaryText, tracing } from './report.ts';
import { missingRecordings, readScenario, scenarioIds } from './transcripts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    real: { type: 'boolean', default: false },
    log: { type: 'string', default: 'error' },
    speed: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '8' },
    deadline: { type: 'string', default: '10000' },
  },
});

const missing = missingRecordings();
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}
const parallel = Number(values.parallel);
const patterns = positionals.map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
const chosen = (id: string): boolean => patterns.some((pattern) => pattern.test(id));
const playable = (id: string): boolean => values.real || !realOnly.has(id);
const scenarios = scenarioIds().filter((id) => (patterns.length === 0 ? playable(id) : chosen(id)));

const begin = values.real ? startRealHarness : startHarness;
const harness = await begin({ speed: Number(values.speed), log: values.log });
try {
  const replays = await playAll(harness, scenarios);
  const cases = [...(await checkAdmission(harness)), ...(await checkSubresources(harness))];
  if (replays.length > 0) console.log(summaryText(replays));
  if (cases.length > 0) {
    for (const one of cases)
      if (values.verbose || one.differences.length > 0) console.log(caseText(one, values.summary));
    console.log(
      `${cases.filter(({ differences }) => differences.length === 0).length} of ${cases.length} cases are the same`,
    );
  }
  const same = replays.every((replay) => isSame(replay)) && cases.every(({ differences }) => differences.length === 0);
  if (!same) process.exitCode = 1;
} finally {
  await harness.stop();
}

async function playAll(on: Harness, ids: readonly string[]): Promise<Replay[]> {
  const play = async (id: string): Promise<Replay> => {
    const replay = await playScenario(on, readScenario(id), {
      stepDeadlineMs: Number(values.deadline),
      ...(values.trace ? { trace: tracing((line) => console.log(line)) } : {}),
    });
    if (!values.summary) console.log(replayText(replay, values.verbose));
    return replay;
  };
  const together = ids.filter((id) => !alone.has(id));
  const results = await inParallel(together, parallel, play);
  for (const id of ids.filter((one) => alone.has(one))) results.push(await play(id));
  return results.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

async function checkAdmission(on: Harness): Promise<CaseResult[]> {
  const wanted = admissionCases().filter(({ id }) => chosen(id));
  if (wanted.length === 0) return [];
  const run = await AdmissionRun.begin(on);
  const results: CaseResult[] = [];
  for (const one of wanted) results.push(await run.check(one));
  return results;
}

async function checkSubresources(on: Harness): Promise<CaseResult[]> {
  const states = matrixStates().filter(({ state }) => chosen(`matrix/${state}`));
  const access = accessCases().filter((one) => chosen(accessId(one)));
  const results = await inParallel(states, parallel, (state) => checkState(on, state));
  for (const one of access) results.push(await checkAccess(on, one));
  return results;
}
