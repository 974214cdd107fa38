/** The sandbox against the recorded answers of a real server. */
import { after, before, describe, test } from 'node:test';
import type { Cluster } from '../cluster/cluster.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { assertSame } from './comparison.ts';
import { readGolden } from './golden.ts';
import { readRandomRecording } from './random-recording.ts';
import { runRandomScripts } from './random.ts';
import type { RandomOutcome } from './random.ts';
import { runCases } from './script.ts';
import type { Outcome } from './script.ts';
import { chosenSeeds, chosenTopics } from './selection.ts';

const quick = chosenTopics();
const seeds = chosenSeeds();

describe('the sandbox answers as kube-apiserver does', () => {
  let sandbox: Cluster;
  let outcomes: Map<string, Outcome>;
  let random: RandomOutcome[];

  before(async () => {
    sandbox = await startSandbox();
    outcomes = new Map(
      (await runCases(sandbox, Object.values(quick).flat(), 8)).map((outcome) => [outcome.case.name, outcome]),
    );
    random = await runRandomScripts(sandbox, seeds, 8);
  });
  after(() => sandbox?.stop());

  for (const [topic, cases] of Object.entries(quick)) {
    describe(topic, () => {
      for (const { name } of cases) {
        test(name, async () => {
          assertSame((await readGolden(topic))[name], outcomes.get(name));
        });
      }
    });
  }

  test('random scripts', { skip: seeds.length === 0 }, async (t) => {
    const recorded = await readRandomRecording();
    for (const [i, seed] of seeds.entries()) {
      await t.test(`seed ${seed}`, () => assertSame(recorded[i], random[i]));
    }
  });
});
