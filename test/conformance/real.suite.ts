/**
 * A real control plane against its own recording, and the random and slow scripts live on both servers. Needs etcd,
 * kube-apiserver and kube-controller-manager.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test compares the sandbox with the recording of the real server
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Cluster } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { topics } from './cases/index.ts';
import { assertSame } from './comparison.ts';
import { readGolden } from './golden.ts';
import { randomSeeds } from './random-recording.ts';
import { runRandomScripts } from './random.ts';
import type { RandomOutcome } from './random.ts';
import { runCases } from './script.ts';
import type { Outcome } from './script.ts';

const all = Object.values(topics).flat();
const byName = (outcomes: readonly Outcome[]): Map<string, Outcome> =>
  new Map(outcomes.map((outcome) => [outcome.case.name, outcome]));

describe('kube-apiserver answers as it was recorded, and as the sandbox does', () => {
  let real: Cluster;
  let sandbox: Cluster;
  let recordedAgain: Map<string, Outcome>;
  let slow: Map<string, Outcome>;
  let random: { real: RandomOutcome[]; sandbox: RandomOutcome[] };

  before(async () => {
    [real, sandbox] = await Promise.all([startRealCluster(), startSandbox()]);
    const slowOnSandbox = runCases(
      sandbox,
      all.filter((one) => one.slow === true),
      8,
    );
    recordedAgain = byName(await runCases(real, all, 8));
    slow = byName(await slowOnSandbox);
    random = {
      real: await runRandomScripts(real, randomSeeds, 8),
      sandbox: await runRandomScripts(sandbox, randomSeeds, 8),
    };
  });
  after(() => Promise.all([real?.stop(), sandbox?.stop()]));

  for (const [topic, cases] of Object.entries(topics)) {
    describe(topic, () => {
      for (const { name, slow: takesLong } of cases) {
        test(name, async () => {
          const golden = (await readGolden(topic))[name];
          assertSame(golden, recordedAgain.get(name));
          if (takesLong === true) assertSame(golden, slow.get(name));
        });
      }
    });
  }

  test('random scripts', async (t) => {
    for (const [i, seed] of randomSeeds.entries()) {
      await t.test(`seed ${seed}`, () => {
        const expected = random.real[i];
        assert.ifError(expected?.error);
        assertSame(expected?.transcript, random.sandbox[i]);
      });
    }
  });
});
