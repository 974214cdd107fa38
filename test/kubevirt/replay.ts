/**
 * Replays recordings of the real KubeVirt against the simulated one.
 *   bin/node test/kubevirt/replay.ts [--verbose] [--summary] [--log LEVEL] [--speed N] [--parallel N] [PATTERN …]
 * A pattern is a scenario's id with `*` for anything, such as `vm/create-*`; without one, all are played.
 */
import { parseArgs } from 'node:util';
import { startGround } from './ground.ts';
import { isSame, playScenario, type Replay } from './player.ts';
import { replayText, summaryText } from './report.ts';
import { missingRecordings, readScenario, scenarioIds } from './transcripts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
    log: { type: 'string', default: 'error' },
    speed: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '8' },
    deadline: { type: 'string', default: '3000' },
  },
});

const missing = missingRecordings();
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}
const patterns = positionals.map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
const ids = scenarioIds().filter((id) => patterns.length === 0 || patterns.some((pattern) => pattern.test(id)));
const ground = await startGround({ speed: Number(values.speed), log: values.log });
const results: Replay[] = [];
try {
  const left = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const replay = await playScenario(ground, readScenario(id), { stepDeadlineMs: Number(values.deadline) });
      results.push(replay);
      if (!values.summary) console.log(replayText(replay, values.verbose));
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker));
} finally {
  await ground.stop();
}
const ordered = results.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1));
console.log(summaryText(ordered));
if (!ordered.every((replay) => isSame(replay))) process.exitCode = 1;
