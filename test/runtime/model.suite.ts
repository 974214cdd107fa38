/** A random history on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { test } from 'node:test';
import { startGround } from './ground.ts';
import { runModel } from './model/model.ts';

const seed = Number(process.env['SSVIRT_TEST_SEED'] ?? 4);

test(`D3: on a kube-apiserver caches end as the server is, seed ${seed}`, { timeout: 300_000 }, async (t) => {
  const ground = await startGround('real');
  t.after(() => ground.stop());
  const { lives, events } = await runModel(ground, { seed, writes: 200, mischief: 0.25, kills: 2 });
  t.diagnostic(`${lives} objects, ${events} events`);
});
