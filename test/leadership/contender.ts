/**
 * One replica of a small operator, as a process: manager, election and a controller that repeatedly adds one to a
 * counter. It reports events on standard output, as lines of JSON. SIGHUP makes it stop itself (SIGSTOP) at the worst
 * moment, after it has read and before it writes; SIGUSR2 blocks its event loop there.
 *
 * `fences` selects what keeps an old leader from writing: `term,version` as in an operator, `version` or `none` to see
 * that the tests would notice.
 */
import { existsSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { connectCluster } from '../../packages/kube/src/connect-cluster.ts';
import { createController } from '../../packages/kube/src/controller/controller.ts';
import { enqueueObject } from '../../packages/kube/src/controller/handlers.ts';
import type { Request } from '../../packages/kube/src/controller/request.ts';
import { watches } from '../../packages/kube/src/controller/sources.ts';
import type { ClusterContext } from '../../packages/kube/src/controller/workers.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { createElector } from '../../packages/kube/src/leader-election/elector.ts';
import { createManager } from '../../packages/kube/src/manager/manager.ts';
import { runUntilSignal } from '../../packages/kube/src/manager/run-until-signal.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { states, type State } from './history.ts';
import { names, times, type Said, type Settings } from './settings.ts';

const settings = JSON.parse(process.env['CONTENDER'] ?? '') as Settings;
const { namespace, identity, fences } = settings;
const log = pino({ base: { identity } }, pino.destination({ dest: 2, sync: true }));
const metrics = createMetrics(new Registry());
const source = await loadKubeconfig({ path: settings.kubeconfig });
const cluster = connectCluster({ name: 'local', component: identity, source, log, metrics });
const electing = createClient({ cluster: 'local', source, userAgent: `${identity}-election`, log, metrics });

const say = (said: Said): void => void writeSync(1, `${JSON.stringify(said)}\n`);

/** What to do before the next write. */
let mishap: 'none' | 'freeze' | 'block' = 'none';
process.on('SIGHUP', () => (mishap = 'freeze'));
process.on('SIGUSR2', () => (mishap = 'block'));

function blockUntil(over: () => boolean): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!over()) Atomics.wait(sleeper, 0, 0, 5);
}

/** Between the read and the write. It checks nothing: a reconciler that stops anywhere must do no harm. */
async function hesitate(): Promise<void> {
  await new Promise((wake) => setTimeout(wake, 50));
  const now = mishap;
  mishap = 'none';
  if (now === 'freeze') process.kill(process.pid, 'SIGSTOP'); // continues here after SIGCONT
  if (now === 'block') blockUntil(() => existsSync(settings.unblocking));
}

function without(version: State): State {
  const { resourceVersion: _, ...metadata } = version.metadata;
  return { ...version, metadata };
}

async function count({ name }: Request, { cluster: fencedCluster, term }: ClusterContext): Promise<void> {
  if (name !== names.state) return;
  const epoch = term?.epoch ?? 0;
  say({ did: 'begins', epoch });
  const read = await cluster.client.get(states, { namespace, name });
  say({ did: 'has read', epoch });
  await hesitate();
  if (settings.stubborn) await new Promise(() => {});
  const counter = String(Number(read.data?.counter) + 1);
  const next = { ...read, data: { counter, epoch: String(epoch), writer: identity } };
  const { client } = fences === 'term,version' ? fencedCluster : cluster;
  try {
    await client.update(states, fences === 'none' ? without(next) : next);
  } catch (error) {
    const why = error instanceof KubeError ? error.kind : error instanceof Error ? error.name : String(error);
    say({ did: 'was refused', epoch, why });
    throw error;
  }
  say({ did: 'wrote', epoch });
}

/** The last reconcile. */
let counting: Promise<void> = Promise.resolve();
const controller = createController({
  name: 'counter',
  sources: ({ informers }) => [watches(informers.informer(states, { namespaces: [namespace] }), enqueueObject)],
  reconcile: (request, context) => (counting = count(request, context)),
  log,
  metrics,
});
controller.engage(cluster);

const elector = createElector({ client: electing, namespace, name: names.lease, identity, log, metrics, ...times });
const manager = createManager({ log, elector, metrics, graceMs: 20_000 });
manager.add(controller);
await runUntilSignal(
  async (signal) => {
    try {
      await manager.run(signal);
    } finally {
      // A contender that does not fence does not end in time, either: it finishes what it has begun.
      if (fences !== 'term,version') await Promise.allSettled([counting]);
    }
  },
  { log },
);
