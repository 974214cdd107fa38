/** A random history on a real kube-apiserver */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test runs such a history on the sandbox
import { test } from 'node:test';
import { testSeed } from '../chosen.ts';
import { startHarness } from './harness.ts';
import { runModel } from './model/model.ts';

const seed = testSeed(4);

test(`D3: on a kube-apiserver caches end as the server is, seed ${seed}`, { timeout: 300_000 }, async (t) => {
  const harness = await startHarness('real');
  t.after(() => harness.stop());
  const { lives, events } = await runModel(harness, { seed, writes: 200, mischief: 0.25, kills: 2 });
  t.diagnostic(`${lives} objects, ${events} events`);
});
